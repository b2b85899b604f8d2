import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { CommandRefused } from '#server/cli/command.ts'
import { lockSupplier, setPaused } from '#server/cli/queries/suppliers.ts'
import { switchCommands } from '#server/cli/switch-command.ts'

export const [pauseSupplier, resumeSupplier] = switchCommands({
  values: ['CODE'],
  on: {
    name: 'supplier:pause',
    summary: 'sell nothing more from a supplier; numbers already sold go on receiving',
    state: 'paused',
  },
  off: { name: 'supplier:resume', summary: 'sell from a paused supplier again', state: 'at work' },
  async turn(tx, { value: code, on, now }) {
    const supplier = await lockSupplier(tx, code)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    const { id, paused_at } = supplier
    const changed = (paused_at !== null) !== on
    if (changed) {
      await setPaused(tx, { id, pausedAt: on ? now : null })
      await raiseCatalogVersion(tx, now)
    }
    return { subject: `supplier:${code}`, detail: { id }, what: `The supplier ${code}`, changed }
  },
})
