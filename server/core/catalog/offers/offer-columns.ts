import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'

export type OfferColumns = Record<
  'serviceCodes' | 'countryIds' | 'operators' | 'costsMicros' | 'currencies' | 'stocks',
  string
>

const WRITTEN_AT_ONCE = 5_000

/**
 * Writes offers as PostgreSQL array literals, in pieces, because the driver would write a long list without a pause.
 */
export function* columnsOf(offers: readonly Offer[]): Yielding<OfferColumns> {
  let columns = { serviceCodes: '', countryIds: '', operators: '', costsMicros: '', currencies: '', stocks: '' }
  for (let from = 0; from < offers.length; from += WRITTEN_AT_ONCE) {
    if (from > 0) yield
    const piece = offers.slice(from, from + WRITTEN_AT_ONCE)
    const add = (before: string, write: (offer: Offer) => string | number | bigint) =>
      `${before}${before === '' ? '' : ','}${piece.map(write).join(',')}`
    columns = {
      serviceCodes: add(columns.serviceCodes, ({ serviceCode }) => quoted(serviceCode)),
      countryIds: add(columns.countryIds, ({ countryId }) => countryId),
      operators: add(columns.operators, ({ operator }) => quoted(operator)),
      costsMicros: add(columns.costsMicros, ({ costMicros }) => costMicros),
      currencies: add(columns.currencies, ({ currency }) => quoted(currency)),
      stocks: add(columns.stocks, ({ stock }) => stock),
    }
  }
  const { serviceCodes, countryIds, operators, costsMicros, currencies, stocks } = columns
  return {
    serviceCodes: `{${serviceCodes}}`,
    countryIds: `{${countryIds}}`,
    operators: `{${operators}}`,
    costsMicros: `{${costsMicros}}`,
    currencies: `{${currencies}}`,
    stocks: `{${stocks}}`,
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
