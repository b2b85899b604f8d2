import { LOCALES, type Locale } from '#contract/constants.ts'
import type { LiveNames } from '#contract/live-events.ts'
import type { Context } from '#server/context.ts'

type KindRow = { service_code: string; country_id: number }

/** What kind of number it is, as every record of one shows it, in the language of `locale`. */
export function kindRecord(ctx: Pick<Context, 'catalog'>, row: KindRow, locale: Locale) {
  const service = ctx.catalog.services.get(row.service_code)
  const country = ctx.catalog.countries.get(row.country_id)
  const russian = locale === 'ru'
  return {
    service: { id: row.service_code, name: (russian ? service?.name_ru : service?.name_en) ?? row.service_code },
    country: {
      id: row.country_id,
      name: (russian ? country?.name_ru : country?.name_en) ?? String(row.country_id),
      iso2: country?.iso2 ?? '',
      dial: country?.dial ?? '',
    },
  }
}

/** The names of the same in every language, for live events: nobody knows which language the page that hears it shows. */
export function kindNames(ctx: Pick<Context, 'catalog'>, row: KindRow): LiveNames {
  const named = LOCALES.map((locale) => {
    const { service, country } = kindRecord(ctx, row, locale)
    return [locale, { service: service.name, country: country.name }]
  })
  // One entry for each locale there is.
  return Object.fromEntries(named) as LiveNames
}
