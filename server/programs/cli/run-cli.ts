import { createServiceClock, systemRandom } from '#server/house/clock.ts'
import { readCommandConfig, readSecretKeys } from '#server/house/config/config.ts'
import { ConfigError } from '#server/house/config/environment.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { EmbeddedPostgresError } from '#server/house/db/embedded/embedded-postgres-error.ts'
import { pendingMigrations } from '#server/house/db/migrate.ts'
import type { Log } from '#server/house/log.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { continueTime } from '#server/programs/boot/continue-time.ts'
import { type Arguments, type Cli, type Command, CommandRefused, WrongUsage } from './command.ts'
import { commands } from './commands.ts'
import { openCliDatabase } from './open-cli-database.ts'
import { DRY_RUN, JSON_LINES, parseCommand } from './parse-command.ts'
import { type CliEdges, sayTo, toJsonLine } from './say.ts'
import { describeCommand, helpText } from './usage.ts'

const DONE = 0
const REFUSED = 1
const WRONG = 2

/** Runs a command. Returns the exit code: 0 done, 1 refused or found wrong, 2 wrong usage. Never throws. */
export async function runCli(argv: readonly string[], edges: CliEdges): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    edges.out(helpText(commands))
    return name === undefined ? WRONG : DONE
  }
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    edges.err(`There is no command ${name}. \`npm run cli -- help\` lists them.\n`)
    return WRONG
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    edges.out(describeCommand(command))
    return DONE
  }
  const json = rest.includes(`--${JSON_LINES}`)
  try {
    return await run(command, parseCommand(command, rest), edges)
  } catch (error) {
    const exitCode = error instanceof WrongUsage ? WRONG : REFUSED
    const message = explain(error)
    if (json) edges.err(`${toJsonLine({ error: { kind: kindOf(error), message, exitCode } })}\n`)
    else edges.err(exitCode === WRONG ? `${message}\n\n${describeCommand(command)}` : `${message}\n`)
    return exitCode
  }
}

function kindOf(error: unknown): string {
  if (error instanceof WrongUsage) return 'wrong_usage'
  if (EXPECTED.some((kind) => error instanceof kind)) return 'refused'
  return isDatabaseAway(error) ? 'database_away' : 'fault'
}

async function run(command: Command, given: Arguments, edges: CliEdges): Promise<number> {
  const config = readCommandConfig(edges.environment)
  const { secretKey, previousSecretKeys } = readSecretKeys(edges.environment)
  const clock = createServiceClock()
  const cli: Cli = {
    config,
    secretKey,
    previousSecretKeys,
    clock,
    random: systemRandom,
    log: complaints(edges),
    dryRun: given.switches.has(DRY_RUN),
    ...sayTo(edges, { json: given.switches.has(JSON_LINES) }),
  }
  if (command.database === 'none') return (await command.run(cli, given)) ?? DONE
  await using database = await openCliDatabase(cli, { mayBeNew: command.database === 'any' })
  const { pool } = database
  if (command.database === 'migrated' && (await pendingMigrations(pool)).length > 0) {
    throw new CommandRefused('The database is not that of this release: run `npm run cli -- migrate` first')
  }
  if (command.database === 'migrated') await continueTime(clock, pool)
  return (await command.run({ ...cli, pool }, given)) ?? DONE
}

/** The command line has no log, so warnings go to stderr. */
function complaints(edges: CliEdges): Log {
  const complain = (...words: unknown[]): void => edges.err(`${String(words.at(-1))}\n`)
  return { debug: () => undefined, info: () => undefined, warn: complain, error: complain }
}

const EXPECTED = [CommandRefused, WrongUsage, ConfigError, StartRefused, EmbeddedPostgresError]

/** Describes an error: an expected one in a sentence, an internal one with its stack trace. */
function explain(error: unknown): string {
  if (EXPECTED.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  if (isDatabaseAway(error)) return `The database cannot be reached: ${error instanceof Error ? error.message : error}`
  return `This should not have happened. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
