import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'

/** The fields of a search. A number matches if any of the fields matches. */
export type NumberSearch = { phonePart: string | null; serviceCodes: string[]; countryIds: number[] }

export function searchNumbers(ctx: Pick<Context, 'memory'>, text: string | undefined): NumberSearch | null {
  const search = text?.trim().toLowerCase() ?? ''
  if (search === '') return null
  const digits = search.replaceAll(/\D/g, '')
  const named = (row: { name_en: string; name_ru: string }) =>
    row.name_en.toLowerCase().includes(search) || row.name_ru.toLowerCase().includes(search)
  return {
    phonePart: digits === '' ? null : digits,
    serviceCodes: [...catalogOf(ctx).services.values()].filter(named).map((row) => row.code),
    countryIds: [...catalogOf(ctx).countries.values()].filter(named).map((row) => row.id),
  }
}
