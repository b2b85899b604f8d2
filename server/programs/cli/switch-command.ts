import type { Db } from '#server/house/db/pool.ts'
import { type Change, makeChange } from './change.ts'
import type { Command } from './command.ts'

/** A command that turns something on or off. `state` is the participle for messages, such as `blocked`. */
type Position = { name: string; summary: string; state: string }

type Switch = {
  values?: readonly string[]
  on: Position
  off: Position
  /** Makes the change. `what` begins the sentence that is printed. */
  turn(
    tx: Db,
    to: { value: string; on: boolean; now: Date; reason: string },
  ): Promise<Pick<Change, 'subject' | 'detail'> & { what: string; changed: boolean }>
}

export function switchCommands(both: Switch): [on: Command, off: Command] {
  return [turnTo(both, true), turnTo(both, false)]
}

function turnTo({ values = [], turn, ...both }: Switch, on: boolean): Command {
  const { name, summary, state } = on ? both.on : both.off
  return {
    name,
    summary,
    values,
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [value = ''] = given.values
      return makeChange(cli, { name, given }, async (tx, now) => {
        const { what, changed, ...change } = await turn(tx, { value, on, now, reason: given.options.reason ?? '' })
        return { ...change, says: `${what} is ${state} ${changed ? 'now' : 'already'}.`, unchanged: !changed }
      })
    },
  }
}
