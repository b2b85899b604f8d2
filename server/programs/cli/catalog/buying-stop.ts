import { setBuyingStopped } from '#server/programs/cli/queries/settings.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'

export const [stopBuying, startBuying] = switchCommands({
  on: {
    name: 'buying:stop',
    summary: 'sell nothing to anybody until buying:start; numbers already sold go on receiving',
    state: 'stopped',
  },
  off: { name: 'buying:start', summary: 'sell again after buying:stop', state: 'open' },
  async turn(tx, { on: stopped, now }) {
    const changed = await setBuyingStopped(tx, { stopped, now })
    return { subject: 'buying', detail: { stopped }, what: 'Buying', changed }
  },
})
