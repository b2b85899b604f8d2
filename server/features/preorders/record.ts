import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { PreorderRecord, PreorderState } from '#contract/preorder.ts'
import type { Context } from '#server/context.ts'
import type { PreorderRow } from './queries/row.ts'

/** One row as the page and programs see it. */
export function toRecord(ctx: Context, row: PreorderRow, locale: Locale): PreorderRecord {
  const service = ctx.catalog.services.get(row.service_code)
  const country = ctx.catalog.countries.get(row.country_id)
  const russian = locale === 'ru'
  return {
    id: Number(row.id),
    state: row.state,
    final: isFinal(row.state),
    service: { id: row.service_code, name: (russian ? service?.name_ru : service?.name_en) ?? row.service_code },
    country: {
      id: row.country_id,
      name: (russian ? country?.name_ru : country?.name_en) ?? String(row.country_id),
      iso2: country?.iso2 ?? '',
      dial: country?.dial ?? '',
    },
    operator: row.operator_wanted,
    max_price: toDecimal(row.max_price_micros),
    currency: row.currency,
    activation_id: row.state === 'bought' ? Number(row.activation_id) : null,
    created_at: row.created_at.toISOString(),
    deadline_at: row.deadline_at.toISOString(),
  }
}

function isFinal(state: PreorderState): boolean {
  return state !== 'waiting' && state !== 'buying'
}
