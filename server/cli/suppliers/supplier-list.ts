import type { Command } from '#server/cli/command.ts'
import { listSuppliers } from '#server/cli/queries/suppliers.ts'
import { describeStanding } from './describe-standing.ts'

export const listAllSuppliers: Command = {
  name: 'supplier:list',
  summary: 'list the suppliers with what they offer; their settings are not shown',
  database: 'migrated',
  async run({ pool, tell, remark }) {
    const suppliers = await listSuppliers(pool)
    if (suppliers.length === 0) remark('There is no supplier yet.')
    for (const supplier of suppliers) {
      const { code, kind, offers, numbers, numbers_out: out } = supplier
      const outNow = out === null ? '' : `, ${out} of them out now`
      tell(supplier, `${code} (${kind}): ${describeStanding(supplier)}, ${offers} offers, ${numbers} numbers${outNow}`)
    }
    return 0
  },
}
