import { CommandRefused } from '#server/programs/cli/command.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'
import { lockOutlet, setOutletPaused } from './queries.ts'

export const [pauseOutlet, resumeOutlet] = switchCommands({
  values: ['CODE'],
  on: {
    name: 'outlet:pause',
    summary: 'give a platform no more numbers; those it has go on, with their messages',
    state: 'paused',
  },
  off: { name: 'outlet:resume', summary: 'supply a paused platform again', state: 'at work' },
  async turn(tx, { value: code, on, now }) {
    const outlet = await lockOutlet(tx, code)
    if (outlet === null) throw new CommandRefused(`There is no outlet ${code}`)
    const { id, paused_at } = outlet
    const changed = (paused_at !== null) !== on
    if (changed) await setOutletPaused(tx, { id, pausedAt: on ? now : null })
    return { subject: `outlet:${code}`, detail: { id }, what: `The outlet ${code}`, changed }
  },
})
