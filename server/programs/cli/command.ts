import type { Random, ServiceClock } from '#server/house/clock.ts'
import type { CommandConfig } from '#server/house/config/config.ts'
import type { Pool } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import type { Say } from './say.ts'

/** The typed arguments. `values` has those that `Command.values` names, in their order, then the items of `rest`. */
export type Arguments = {
  values: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  switches: ReadonlySet<string>
}

export type Cli = {
  config: CommandConfig
  /** The secret key; null means the demo's own key. */
  secretKey: string | null
  /** Replaced secret keys, which still decrypt what they encrypted. */
  previousSecretKeys: readonly string[]
  clock: ServiceClock
  random: Random
  log: Log
  dryRun: boolean
} & Say
export type DatabaseCli = Cli & { pool: Pool }

type Described = {
  name: string
  summary: string
  values?: readonly string[]
  /** The name of a list of values that follows the required values. */
  rest?: string
  options?: Readonly<Record<string, { shows: string; required?: boolean }>>
  switches?: readonly string[]
  /** A command with this flag requires `--reason` and allows `--dry-run`. */
  changes?: boolean
  /** A command with this flag allows `--yes` (see `refuseDoubtful`). */
  doubts?: boolean
}

/** A command of the command line. `migrated` requires a database of this release. `run` returns the exit code or 0. */
export type Command = Described &
  (
    | { database: 'none'; run(cli: Cli, given: Arguments): Promise<number | undefined> }
    | { database: 'any' | 'migrated'; run(cli: DatabaseCli, given: Arguments): Promise<number | undefined> }
  )

/** Ends the command with exit code 1. The message is one sentence for the user; nothing has changed. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

/** Ends the command with exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}
