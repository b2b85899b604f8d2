import { makeChange } from './change.ts'
import type { Command } from './command.ts'
import { setBuyingStopped } from './queries/settings.ts'

export const stopBuying: Command = switchBuying({
  name: 'buying:stop',
  summary: 'sell nothing to anybody until buying:start; numbers already sold go on receiving',
  stopped: true,
})

export const startBuying: Command = switchBuying({
  name: 'buying:start',
  summary: 'sell again after buying:stop',
  stopped: false,
})

function switchBuying({ name, summary, stopped }: { name: string; summary: string; stopped: boolean }): Command {
  const state = stopped ? 'stopped' : 'open'
  return {
    name,
    summary,
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      return makeChange(cli, { name, given }, async (tx, now) => {
        const changed = await setBuyingStopped(tx, { stopped, now })
        const says = changed ? `Buying is ${state} now.` : `Buying is ${state} already.`
        return { subject: 'buying', detail: { stopped }, says, unchanged: !changed }
      })
    },
  }
}
