import type { Random, ServiceClock } from '#server/house/clock.ts'
import type { CommandConfig } from '#server/house/config/config.ts'
import type { Pool } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import type { Say } from './say.ts'

/** `values` in the order of `Command.values`, each present, then its `rest`. */
export type Arguments = {
  values: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  /** The given ones of `Command.switches`. */
  switches: ReadonlySet<string>
}

export type Cli = {
  config: CommandConfig
  /** Null: the demo's own key. */
  secretKey: string | null
  /** Replaced keys, which still open what they sealed. */
  previousSecretKeys: readonly string[]
  clock: ServiceClock
  random: Random
  log: Log
  /** Rolls every change back. */
  dryRun: boolean
} & Say
export type DatabaseCli = Cli & { pool: Pool }

type Described = {
  name: string
  summary: string
  /** Names of the required values, in order. */
  values?: readonly string[]
  /** The name of a list after the values. */
  rest?: string
  /** Options with a value. */
  options?: Readonly<Record<string, { shows: string; required?: boolean }>>
  switches?: readonly string[]
  /** Requires `--reason` and allows `--dry-run`. */
  changes?: boolean
  /** Allows `--yes` (`refuseDoubtful`). */
  doubts?: boolean
}

/** `migrated`: the database must be at this release's version. `run` resolves to the exit code, undefined for 0. */
export type Command = Described &
  (
    | { database: 'none'; run(cli: Cli, given: Arguments): Promise<number | undefined> }
    | { database: 'any' | 'migrated'; run(cli: DatabaseCli, given: Arguments): Promise<number | undefined> }
  )

/** Exit code 1. The message is one sentence for the user; nothing has changed. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

/** Exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}
