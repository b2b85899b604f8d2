import type { Random, ServiceClock } from '#server/clock.ts'
import type { CommandConfig } from '#server/config/config.ts'
import type { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'
import type { Say } from './say.ts'

/** What was written after the command: `values` in the order of `Command.values`, each present, then its `rest`; options as given. */
export type Arguments = {
  values: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  /** Of `Command.switches`, those that were given. */
  switches: ReadonlySet<string>
}

/** What a command works with. */
export type Cli = {
  config: CommandConfig
  /** As given; null: the demo's own. */
  secretKey: string | null
  /** Keys that it replaced: they still open what they sealed. */
  previousSecretKeys: readonly string[]
  clock: ServiceClock
  random: Random
  log: Log
  /** With `--dry-run`: what is changed is undone again. */
  dryRun: boolean
} & Say
export type DatabaseCli = Cli & { pool: Pool }

/** What every command says about itself. */
type Described = {
  /** As it is typed: `supplier:add`. */
  name: string
  summary: string
  /** Names of what must stand after the command, in order. */
  values?: readonly string[]
  /** The name of what may stand after those, once or more. */
  rest?: string
  /** Options that take a value; `required` ones are demanded. */
  options?: Readonly<Record<string, { shows: string; required?: boolean }>>
  /** Names of options without a value. */
  switches?: readonly string[]
  /** It changes something, and so demands `--reason`, and can be rehearsed with `--dry-run`. */
  changes?: boolean
  /** It refuses what looks like a slip of the hand, and does it with `--yes`: `refuseDoubtful`. */
  doubts?: boolean
}

/**
 * `database`: `none` is opened, `any` one will do, or it must be `migrated` to this release. A command resolves to its
 * exit code, or to nothing for 0.
 */
export type Command = Described &
  (
    | { database: 'none'; run(cli: Cli, given: Arguments): Promise<number | undefined> }
    | { database: 'any' | 'migrated'; run(cli: DatabaseCli, given: Arguments): Promise<number | undefined> }
  )

/** A command was refused, in one sentence for whoever typed it. Exit code 1; nothing has changed. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

/** It was not typed as its usage says. Exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}
