import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { seal } from '#server/house/config/secret-key.ts'
import { supplierKinds } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { insertSupplier } from '#server/programs/cli/queries/suppliers.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { readTypedSettings, requireCode } from '#server/programs/cli/settings/typed-settings.ts'
import { intakeAddress, whatToEnter, withIntakeKey } from './intake-address.ts'
import { checkSettings } from './supplier-settings.ts'

export const addSupplier: Command = {
  name: 'supplier:add',
  summary: `add a supplier of a KIND (${Object.keys(supplierKinds).join(', ')}); a running server puts it to work`,
  values: ['KIND'],
  options: { code: { shows: 'CODE', required: true }, settings: { shows: `'{…}' | @FILE` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [kind = ''] = given.values
    const { code = '', settings: text = '{}' } = given.options
    requireCode(code)
    const settings = withIntakeKey(kind, await readTypedSettings(text), cli.random)
    await checkSettings(cli, { kind, code, settings })
    const sealed = seal(settings, await sealingKey(cli), cli.random)
    return makeChange(cli, { name: 'supplier:add', given }, async (tx, now) => {
      const id = await insertSupplier(tx, { code, kind, settings: sealed, now })
      if (id === null) {
        const isThere = (await lockSupplier(tx, code)) !== null
        const was = `There was a supplier ${code}, which its orders still name: take another code`
        throw new CommandRefused(isThere ? `There is already a supplier ${code}` : was)
      }
      await raiseCatalogVersion(tx, now)
      // The audit log gets only the names of settings, because values may be passwords.
      const detail = { id, kind, settings: Object.keys(settings) }
      const says = `Added the supplier ${code} (${kind}).`
      const address = intakeAddress(cli.config, { kind, code, settings })
      if (address === null) return { subject: `supplier:${code}`, detail, says }
      const secret = { name: 'address', value: `${says}\n${whatToEnter(address, settings)}` }
      return { subject: `supplier:${code}`, detail, says, secret }
    })
  },
}
