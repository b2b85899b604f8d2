import { CommandRefused } from '#server/programs/cli/command.ts'
import { defineRotation } from '#server/programs/cli/settings/rotate-key.ts'
import { supplierSettings } from './supplier-set.ts'

/** The kinds of suppliers that accept two keys at a time. */
const KINDS = ['sim-bank']

export const rotateSupplierKey = defineRotation({
  ...supplierSettings,
  summary: 'give a sim-bank supplier another key of the protocol; the one before holds for HOURS more, both ways',
  async lock(tx, code) {
    const supplier = await supplierSettings.lock(tx, code)
    if (supplier === null || KINDS.includes(supplier.kind)) return supplier
    throw new CommandRefused(`${code} is no supplier of the kind ${KINDS.join(', ')}`)
  },
})
