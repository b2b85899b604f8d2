import { z } from 'zod'
import type { Locale } from '#contract/constants.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { publicAction } from '../action.ts'
import { json, readyJson, word } from '../answer.ts'
import { countryFilter } from '../parameters/country.ts'
import { remembered } from './remember.ts'

/** Lists countries, keyed by id. `chn` is an English name, because we have no Chinese names. */
export const getCountries = publicAction({
  parameters: z.object({}),
  handle: (ctx, _input, { countryId }) => {
    const catalog = catalogOf(ctx)
    return readyJson(
      remembered(catalog, `countries ${countryId}`, () => JSON.stringify(countriesOf(catalog, countryId))),
    )
  },
})

function countriesOf(catalog: CatalogIndex, idAs: ServedDialect['countryId']) {
  const entries = [...catalog.countries.values()].map((row) => ({
    id: idAs === 'text' ? String(row.id) : row.id,
    rus: row.name_ru,
    eng: row.name_en,
    chn: row.name_en,
    visible: Number(row.visible),
    // The flags say that each number can get more codes by status 3, but serves a single service.
    retry: 1,
    rent: 1,
    multiService: 0,
  }))
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]))
}

/** Lists services, popular ones first. Names are Russian for `lang=ru`, and English otherwise. */
export const getServicesList = publicAction({
  parameters: z.object({
    country: countryFilter,
    lang: z
      .string()
      .optional()
      .transform((value): Locale => (value?.toLowerCase() === 'ru' ? 'ru' : 'en')),
  }),
  refusals: { country: word('BAD_COUNTRY') },
  handle(ctx, { country, lang }) {
    const catalog = catalogOf(ctx)
    if (country === undefined) {
      return readyJson(
        remembered(catalog, `services ${lang}`, () => JSON.stringify(servicesOf(catalog, lang, undefined))),
      )
    }
    return catalog.countries.has(country) ? json(servicesOf(catalog, lang, country)) : word('BAD_COUNTRY')
  },
})

function servicesOf(catalog: CatalogIndex, lang: Locale, country: number | undefined) {
  const inStock = country === undefined ? undefined : catalog.pairsOfCountry(country)
  const sold = [...catalog.services.values()].filter(
    (row) => row.blocked_at === null && row.code !== FULL_NUMBER && (inStock === undefined || inStock.has(row.code)),
  )
  const services = sold.map((row) => ({ code: row.code, name: lang === 'ru' ? row.name_ru : row.name_en }))
  return { status: 'success', services }
}

export const getOperators = publicAction({
  parameters: z.object({ country: countryFilter }),
  refusals: { country: word('OPERATORS_NOT_FOUND') },
  handle(ctx, { country }, { noOperators }) {
    const catalog = catalogOf(ctx)
    if (country === undefined) {
      return readyJson(
        remembered(catalog, 'operators', () => JSON.stringify(operatorsOf(catalog, [...catalog.countries.keys()]))),
      )
    }
    const found = operatorsOf(catalog, [country])
    if (Object.keys(found.countryOperators).length > 0) return json(found)
    return noOperators === 'list' ? json({ status: 'success', countryOperators: [] }) : word('OPERATORS_NOT_FOUND')
  },
})

export function operatorsOf(catalog: CatalogIndex, countryIds: number[]) {
  const countryOperators: Record<string, string[]> = {}
  for (const id of countryIds) {
    const operators = new Set<string>()
    for (const pair of catalog.pairsOfCountry(id).values()) {
      for (const offer of pair.offers) operators.add(offer.operator)
    }
    if (operators.size > 0) countryOperators[id] = [...operators].sort()
  }
  return { status: 'success', countryOperators }
}
