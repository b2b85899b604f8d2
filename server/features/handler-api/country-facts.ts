import type { Context } from '#server/context.ts'

/** Whether numbers of a country may get a further SMS, as the field writes it: the `retry` of getCountries, here a text. */
export function canGetAnotherSms(ctx: Context, countryId: number): '0' | '1' {
  return ctx.catalog.countries.get(countryId)?.retry === false ? '0' : '1'
}
