import type { Locale } from '#contract/constants.ts'
import type { LiveNames } from '#contract/live-events.ts'
import type { Context } from '#server/context.ts'

type KindRow = { service_code: string; country_id: number }

/** What kind of number it is, as every record of one shows it, in the language of `locale`. */
export function kindRecord(ctx: Pick<Context, 'catalog'>, row: KindRow, locale: Locale) {
  const country = ctx.catalog.countries.get(row.country_id)
  const names = namesIn(ctx, row, locale)
  return {
    service: { id: row.service_code, name: names.service },
    country: { id: row.country_id, name: names.country, iso2: country?.iso2 ?? '', dial: country?.dial ?? '' },
  }
}

/** The names of the same in every language, for live events: nobody knows which language the page that hears it shows. */
export function kindNames(ctx: Pick<Context, 'catalog'>, row: KindRow): LiveNames {
  return { ru: namesIn(ctx, row, 'ru'), en: namesIn(ctx, row, 'en') }
}

function namesIn(ctx: Pick<Context, 'catalog'>, row: KindRow, locale: Locale): LiveNames[Locale] {
  const service = ctx.catalog.services.get(row.service_code)
  const country = ctx.catalog.countries.get(row.country_id)
  const name = locale === 'ru' ? 'name_ru' : 'name_en'
  return { service: service?.[name] ?? row.service_code, country: country?.[name] ?? String(row.country_id) }
}
