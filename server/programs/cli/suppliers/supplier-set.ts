import { lockSupplier, type SupplierState } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { changeSettings } from '#server/programs/cli/queries/suppliers.ts'
import { defineSet, type Holder } from '#server/programs/cli/settings/define-set.ts'
import { endOverlap } from '#server/programs/cli/settings/rotate-key.ts'
import { checkSettings } from './supplier-settings.ts'

export const supplierSettings: Holder<SupplierState> = {
  noun: 'supplier',
  lock: lockSupplier,
  check: (cli, _tx, { code, locked: { kind }, settings }) => checkSettings(cli, { kind, code, settings }),
  async store(tx, { id, settings, now }) {
    await changeSettings(tx, { id, settings })
    await raiseCatalogVersion(tx, now)
  },
}

export const setSupplier = defineSet(supplierSettings, {
  follows: 'a running server starts it again',
  rule: endOverlap,
})
