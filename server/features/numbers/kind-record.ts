import type { Locale } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'

/** What kind of number it is, as every record of one shows it, in the language of `locale`. */
export function kindRecord(
  ctx: Pick<Context, 'catalog'>,
  row: { service_code: string; country_id: number },
  locale: Locale,
) {
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
