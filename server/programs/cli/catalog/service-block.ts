import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { setServiceBlocked } from '#server/programs/cli/queries/limits.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'

export const [blockService, unblockService] = switchCommands({
  values: ['CODE'],
  on: {
    name: 'service:block',
    summary: 'sell a service no more, in any way: numbers already sold go on receiving',
    state: 'blocked',
  },
  off: { name: 'service:unblock', summary: 'sell a blocked service again', state: 'not blocked' },
  async turn(tx, { value: code, on, now }) {
    const service = await setServiceBlocked(tx, { code, blockedAt: on ? now : null })
    if (service === null) throw new CommandRefused(`There is no service ${code}`)
    const { name, changed } = service
    // A running server polls the catalogue's version. Until it has reloaded the catalogue, the SQL statement of a
    // purchase refuses the service.
    if (changed) await raiseCatalogVersion(tx, now)
    return { subject: `service:${code}`, detail: { name }, what: name, changed }
  },
})
