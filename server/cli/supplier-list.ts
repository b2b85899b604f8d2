import type { Command } from './command.ts'
import { listSuppliers } from './queries/suppliers.ts'

export const listAllSuppliers: Command = {
  name: 'supplier:list',
  summary: 'list the suppliers with what they offer; their settings are not shown',
  database: 'migrated',
  async run({ pool, say }) {
    const suppliers = await listSuppliers(pool)
    if (suppliers.length === 0) say('There is no supplier yet.')
    for (const { code, kind, paused_at: pausedAt, offers, stock } of suppliers) {
      const state = pausedAt === null ? 'at work' : `paused since ${pausedAt.toISOString()}`
      say(`${code} (${kind}): ${state}, ${offers} offers, ${stock} numbers in stock`)
    }
    return 0
  },
}
