import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { changeGateway, type GatewayState, lockGateway } from '#server/programs/cli/queries/gateways.ts'
import { defineSet, type Holder } from '#server/programs/cli/settings/define-set.ts'
import { checkGatewaySettings } from './gateway-settings.ts'

const gatewaySettings: Holder<GatewayState> = {
  noun: 'gateway',
  lock: lockGateway,
  check: (cli, _tx, { code, locked: { kind }, settings }) => checkGatewaySettings(cli, { kind, code, settings }),
  async store(tx, { id, settings, now }) {
    await changeGateway(tx, { id, settings })
    await raiseCatalogVersion(tx, now)
  },
}

export const setGateway = defineSet(gatewaySettings, { follows: 'a running server follows at once' })
