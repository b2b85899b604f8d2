import type { Locale } from '#contract/constants.ts'
import type { LiveNames } from '#contract/live-events.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'

type KindRow = { service_code: string; country_id: number }

export function kindRecord(ctx: Pick<Context, 'memory'>, row: KindRow, locale: Locale) {
  const country = catalogOf(ctx).countries.get(row.country_id)
  const names = namesIn(ctx, row, locale)
  return {
    service: { id: row.service_code, name: names.service },
    country: { id: row.country_id, name: names.country, iso2: country?.iso2 ?? '', dial: country?.dial ?? '' },
  }
}

/** Returns the names of service and country in every language, because a live event's page may have any language. */
export function kindNames(ctx: Pick<Context, 'memory'>, row: KindRow): LiveNames {
  return { ru: namesIn(ctx, row, 'ru'), en: namesIn(ctx, row, 'en') }
}

function namesIn(ctx: Pick<Context, 'memory'>, row: KindRow, locale: Locale): LiveNames[Locale] {
  const service = catalogOf(ctx).services.get(row.service_code)
  const country = catalogOf(ctx).countries.get(row.country_id)
  const name = locale === 'ru' ? 'name_ru' : 'name_en'
  return { service: service?.[name] ?? row.service_code, country: country?.[name] ?? String(row.country_id) }
}
