import type { Db } from '#server/db/pool.ts'
import { type Change, makeChange } from './change.ts'
import type { Command } from './command.ts'

/** How it is typed, and the word for what is so turned: `blocked`. */
type Position = { name: string; summary: string; state: string }

type Switch = {
  values?: readonly string[]
  on: Position
  off: Position
  /** Turns it, unless it stands so already. `what`: how the sentence begins that is told. */
  turn(
    tx: Db,
    to: { value: string; on: boolean; now: Date },
  ): Promise<Pick<Change, 'subject' | 'detail'> & { what: string; changed: boolean }>
}

/** Two commands: one turns something on, the other off again. */
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
        const { what, changed, ...change } = await turn(tx, { value, on, now })
        return { ...change, says: `${what} is ${state} ${changed ? 'now' : 'already'}.`, unchanged: !changed }
      })
    },
  }
}
