import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { seal } from '#server/house/config/secret-key.ts'
import { gatewayKinds } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { readTypedSettings, requireCode } from '#server/programs/cli/settings/typed-settings.ts'
import { checkGatewaySettings } from './gateway-settings.ts'

export const addGateway: Command = {
  name: 'gateway:add',
  summary: `add a payment gateway of a KIND (${Object.keys(gatewayKinds).join(', ')}); a running server takes money by it at once`,
  values: ['KIND'],
  options: { code: { shows: 'CODE', required: true }, settings: { shows: `'{…}' | @FILE` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [kind = ''] = given.values
    const { code = '', settings: text = '{}' } = given.options
    requireCode(code)
    const settings = await readTypedSettings(text)
    await checkGatewaySettings(cli, { kind, code, settings })
    const sealed = seal(settings, await sealingKey(cli), cli.random)
    return makeChange(cli, { name: 'gateway:add', given }, async (tx, now) => {
      const id = await insertGateway(tx, { code, kind, settings: sealed, now })
      if (id === null) throw new CommandRefused(`There is already a gateway ${code}`)
      await raiseCatalogVersion(tx, now)
      // The audit log gets only the names of settings, because values may be passwords.
      const detail = { id, kind, settings: Object.keys(settings) }
      return { subject: `gateway:${code}`, detail, says: `Added the gateway ${code} (${kind}).` }
    })
  },
}
