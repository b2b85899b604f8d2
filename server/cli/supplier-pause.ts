import { raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { makeChange } from './change.ts'
import { type Command, CommandRefused } from './command.ts'
import { lockSupplier, setPaused } from './queries/suppliers.ts'

export const pauseSupplier: Command = switchSupplier({
  name: 'supplier:pause',
  summary: 'sell nothing more from a supplier; numbers already sold go on receiving',
  paused: true,
})

export const resumeSupplier: Command = switchSupplier({
  name: 'supplier:resume',
  summary: 'sell from a paused supplier again',
  paused: false,
})

function switchSupplier({ name, summary, paused }: { name: string; summary: string; paused: boolean }): Command {
  const state = paused ? 'paused' : 'at work'
  return {
    name,
    summary,
    values: ['CODE'],
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [code = ''] = given.values
      return makeChange(cli, { name, given }, async (tx, now) => {
        const supplier = await lockSupplier(tx, code)
        if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
        const subject = `supplier:${code}`
        if ((supplier.paused_at !== null) === paused) {
          return { subject, detail: {}, says: `The supplier ${code} is ${state} already.`, unchanged: true }
        }
        await setPaused(tx, { id: supplier.id, pausedAt: paused ? now : null })
        await raiseCatalogVersion(tx, now)
        return { subject, detail: { id: supplier.id }, says: `The supplier ${code} is ${state} now.` }
      })
    },
  }
}
