import { lockSupplier } from '#server/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused } from '#server/cli/command.ts'
import { changeSettings } from '#server/cli/queries/suppliers.ts'
import { ROTATE_OPTIONS, readRotation, rotate } from '#server/cli/settings/rotate-key.ts'
import { sealingKey } from '#server/cli/settings/sealing-key.ts'
import { seal, unseal } from '#server/config/secret-key.ts'
import { checkSettings } from './supplier-settings.ts'

/** Of the kinds that can tell two keys apart. */
const KINDS = ['sim-bank']

export const rotateSupplierKey: Command = {
  name: 'supplier:rotate',
  summary: 'give a sim-bank supplier another key of the protocol; the one before holds for HOURS more, both ways',
  values: ['CODE'],
  options: ROTATE_OPTIONS,
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    const rotation = await readRotation(cli, given.options)
    const secretKey = await sealingKey(cli)
    return makeChange(cli, { name: 'supplier:rotate', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const { id, kind } = supplier
      if (!KINDS.includes(kind)) throw new CommandRefused(`${code} is no supplier of the kind ${KINDS.join(', ')}`)
      const before = unseal(supplier.settings, [secretKey, ...cli.previousSecretKeys]).value
      const { settings, until } = rotate(before, rotation, now)
      await checkSettings(cli, { kind, code, settings })
      await changeSettings(tx, { id, settings: seal(settings, secretKey, cli.random) })
      await raiseCatalogVersion(tx, now)
      return {
        ...{ subject: `supplier:${code}`, detail: { id, until } },
        says: `The supplier ${code} has another key; the one before holds until ${until}.`,
        ...(rotation.isMade && { secret: { name: 'key', value: rotation.key } }),
      }
    })
  },
}
