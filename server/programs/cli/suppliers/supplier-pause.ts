import { switchSupplier } from '#server/core/catalog/standing/switch-supplier.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'

export const [pauseSupplier, resumeSupplier] = switchCommands({
  values: ['CODE'],
  on: {
    name: 'supplier:pause',
    summary: 'sell nothing more from a supplier; numbers already sold go on receiving',
    state: 'paused',
  },
  off: { name: 'supplier:resume', summary: 'sell from a paused supplier again', state: 'at work' },
  async turn(tx, { value: code, on, now, reason }) {
    const turned = await switchSupplier(tx, { code, on: on ? 'paused' : 'at-work', now, reason })
    if (turned === null) throw new CommandRefused(`There is no supplier ${code}`)
    const { id, changed } = turned
    return { subject: `supplier:${code}`, detail: { id }, what: `The supplier ${code}`, changed }
  },
})
