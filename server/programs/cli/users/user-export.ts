import { type FileHandle, open } from 'node:fs/promises'
import { GIBIBYTE } from '#contract/time.ts'
import { beginSnapshot } from '#server/core/privacy/export/row-queries.ts'
import { writeArchive } from '#server/core/privacy/export/write-archive.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { requireUser } from './find-account.ts'

/** The maximum size of an export, beyond which programs that read ZIP files differ. */
const MOST_BYTES = 2 * GIBIBYTE
const OWNER_ALONE = 0o600

export const exportUser: Command = {
  name: 'user:export',
  summary: 'write everything about a user into a new ZIP file, as they get it themselves; whoever asks must be them',
  values: ['EMAIL'],
  options: { file: { shows: 'data.zip', required: true } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const { file: path = '' } = given.options
    const { id: userId, locale, settings } = await requireUser(cli.pool, email)
    const file = cli.dryRun ? null : await openNew(path)
    try {
      // The audit log records the request before anything is written.
      await makeChange(cli, { name: 'user:export', given }, async () => ({
        subject: `user:${userId}`,
        detail: {},
        says: `Everything about ${email} is written to ${path}.`,
      }))
      if (file === null) return
      const timeZone = settings.time_zone ?? 'UTC'
      const archive = { userId, locale, timeZone, at: cli.clock.now(), mostBytes: MOST_BYTES }
      await transaction(cli.pool, async (tx) => {
        await beginSnapshot(tx)
        return writeArchive(tx, archive, (bytes) => file.writeFile(bytes))
      })
    } finally {
      await file?.close()
    }
  },
}

function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', OWNER_ALONE).catch((error: unknown) => {
    throw new CommandRefused(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  })
}
