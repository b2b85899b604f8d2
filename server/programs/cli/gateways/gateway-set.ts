import { isDeepStrictEqual } from 'node:util'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { changeGateway, lockGateway } from '#server/programs/cli/queries/gateways.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { changeSetting, readSettingChange } from '#server/programs/cli/settings/setting-change.ts'
import { checkGatewaySettings } from './gateway-settings.ts'

export const setGateway: Command = {
  name: 'gateway:set',
  summary: 'change settings of a gateway (VALUE: JSON, text, @FILE; null removes); a running server follows at once',
  values: ['CODE'],
  rest: 'KEY=VALUE',
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', ...typed] = given.values
    const changes = await Promise.all(typed.map(readSettingChange))
    const secretKey = await sealingKey(cli)
    return makeChange(cli, { name: 'gateway:set', given }, async (tx, now) => {
      const gateway = await lockGateway(tx, code)
      if (gateway === null) throw new CommandRefused(`There is no gateway ${code}`)
      const { id, kind } = gateway
      const before = unseal(gateway.settings, [secretKey, ...cli.previousSecretKeys]).value
      const settings = changes.reduce(changeSetting, before)
      await checkGatewaySettings(cli, { kind, code, settings })
      const names = changes.map(({ name }) => name)
      const change = { subject: `gateway:${code}`, detail: { id, settings: names } }
      if (isDeepStrictEqual(settings, before)) {
        return { ...change, says: `The gateway ${code} has these settings already.`, unchanged: true }
      }
      await changeGateway(tx, { id, settings: seal(settings, secretKey, cli.random) })
      await raiseCatalogVersion(tx, now)
      return { ...change, says: `Changed ${names.join(', ')} of the gateway ${code}.` }
    })
  },
}
