import { insertEvent, restoreStanding } from '#server/catalog/health/queries/standings.ts'
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
  async turn(tx, { value: code, on, now, reason }) {
    const supplier = await lockSupplier(tx, code)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    const { id, paused_at } = supplier
    const changed = (paused_at !== null) !== on
    if (changed) {
      await setPaused(tx, { id, pausedAt: on ? now : null })
      // The operator has looked at it: what it was set aside for is over.
      if (!on) await restoreStanding(tx, { supplierId: id, now })
      await insertEvent(tx, { supplierId: id, kind: on ? 'paused' : 'resumed', reason, now })
      await raiseCatalogVersion(tx, now)
    }
    return { subject: `supplier:${code}`, detail: { id }, what: `The supplier ${code}`, changed }
  },
})
