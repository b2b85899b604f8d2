import { findSecretKey } from '#server/house/config/secret-key.ts'
import { refuseWrongKey, sealWith } from '#server/programs/boot/missing-setup.ts'
import { CommandRefused, type DatabaseCli } from '#server/programs/cli/command.ts'
import { findDemoMark } from '#server/programs/demo/queries.ts'

/** Returns the key that encrypts settings. The demo stores its own; otherwise SECRET_KEY is required. */
export async function sealingKey(cli: DatabaseCli): Promise<string> {
  const { marked } = await findDemoMark(cli.pool)
  if (cli.secretKey === null && !marked) {
    throw new CommandRefused(
      'SECRET_KEY is missing: give this command the one the server has, settings and mails are sealed with it',
    )
  }
  const key = await findSecretKey({ dataDir: cli.config.dataDir, secretKey: cli.secretKey }, cli.random)
  const keys = [key, ...cli.previousSecretKeys] as const
  // A dry run must not record its key's check value in the database.
  if (!marked) await (cli.dryRun ? refuseWrongKey(cli.pool, keys) : sealWith(cli.pool, keys, cli.clock.now()))
  return key
}
