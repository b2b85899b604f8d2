import { toDecimal } from '#contract/money.ts'
import { listRates, type RateSheet } from '#server/house/rates/queries.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'

export const listAllRates: Command = {
  name: 'rate:list',
  summary: 'list the rates with source and time, what was refused, and where they are fetched',
  database: 'migrated',
  async run({ pool, tell, remark }) {
    const rates = await listRates(pool)
    if (rates.length === 0) remark('There is no rate yet.')
    for (const sheet of rates) {
      const { rub_micros, refused_micros, ...rest } = sheet
      const rate = rub_micros === null ? null : toDecimal(rub_micros)
      const refused = refused_micros === null ? null : toDecimal(refused_micros)
      tell({ ...rest, rate, refused }, describe(sheet))
    }
    return 0
  },
}

function describe({ currency, rub_micros: micros, source, updated_at: at, ...sheet }: RateSheet): string {
  const rate =
    micros === null || at === null ? 'no rate yet' : `${toDecimal(micros)} rub (${source}, ${at.toISOString()})`
  const { url, last_failure: failure, failing_since: since } = sheet
  const parts = [
    `1 ${currency}: ${rate}`,
    ...(sheet.refused_micros === null
      ? []
      : [`REFUSED ${toDecimal(sheet.refused_micros)}: too far from it, see rate:set`]),
    ...(url === null ? [] : [`fetched from ${plain(url)}`]),
    ...(since === null ? [] : [`FAILING since ${since.toISOString()} (${plain(failure ?? '')})`]),
  ]
  return parts.join(', ')
}
