import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { changeSettings } from '#server/programs/cli/queries/suppliers.ts'
import { defineRotation } from '#server/programs/cli/settings/rotate-key.ts'
import { checkSettings } from './supplier-settings.ts'

/** Supplier kinds that can tell two keys apart. */
const KINDS = ['sim-bank']

export const rotateSupplierKey = defineRotation({
  noun: 'supplier',
  summary: 'give a sim-bank supplier another key of the protocol; the one before holds for HOURS more, both ways',
  async lock(tx, code) {
    const supplier = await lockSupplier(tx, code)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    if (!KINDS.includes(supplier.kind)) {
      throw new CommandRefused(`${code} is no supplier of the kind ${KINDS.join(', ')}`)
    }
    return supplier
  },
  check: (cli, _tx, { code, locked: { kind }, settings }) => checkSettings(cli, { kind, code, settings }),
  async store(tx, { id, settings, now }) {
    await changeSettings(tx, { id, settings })
    await raiseCatalogVersion(tx, now)
  },
})
