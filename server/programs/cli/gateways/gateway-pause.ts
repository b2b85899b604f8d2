import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { lockGateway, pauseGatewayRow } from '#server/programs/cli/queries/gateways.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'

export const [pauseGateway, resumeGateway] = switchCommands({
  values: ['CODE'],
  on: {
    name: 'gateway:pause',
    summary: 'begin no more payments by a gateway; what was begun is still credited',
    state: 'paused',
  },
  off: { name: 'gateway:resume', summary: 'take money by a paused gateway again', state: 'at work' },
  async turn(tx, { value: code, on, now }) {
    const gateway = await lockGateway(tx, code)
    if (gateway === null) throw new CommandRefused(`There is no gateway ${code}`)
    const { id, paused_at } = gateway
    const changed = (paused_at !== null) !== on
    if (changed) {
      await pauseGatewayRow(tx, { id, pausedAt: on ? now : null })
      await raiseCatalogVersion(tx, now)
    }
    return { subject: `gateway:${code}`, detail: { id }, what: `The gateway ${code}`, changed }
  },
})
