import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { listSuppliers, type SupplierSummary } from '#server/programs/cli/queries/suppliers.ts'
import { describeStanding } from './describe-standing.ts'

export const listAllSuppliers: Command = {
  name: 'supplier:list',
  summary: 'list the suppliers with what they offer; their settings are not shown',
  database: 'migrated',
  async run({ pool, tell, remark }) {
    const suppliers = await listSuppliers(pool)
    if (suppliers.length === 0) remark('There is no supplier yet.')
    for (const supplier of suppliers) {
      const { code, kind, offers, numbers, numbers_out: out, stock: left } = supplier
      const outNow = out === null ? '' : `, ${out} of them out now`
      const forSale = left === null ? '' : `, ${left} for sale`
      const stock = `${offers} offers, ${numbers} numbers${outNow}${forSale}`
      tell(supplier, `${code} (${kind}): ${describeStanding(supplier)}, ${stock}${moneyOf(supplier)}`)
    }
    return 0
  },
}

function moneyOf(supplier: SupplierSummary): string {
  const {
    balance_micros: balance,
    balance_currency: currency,
    rating_hundredths: rating,
    late_codes: codes,
    late_codes_micros: micros,
  } = supplier
  const rated = rating === null ? '' : `, rating ${rating / 100}`
  const held = balance === null ? '' : `, balance ${toDecimal(balance)} ${currency ?? ''}${rated}`
  return codes === 0n ? held : `${held}, ${codes} messages that nobody paid for cost ${toDecimal(micros)}`
}
