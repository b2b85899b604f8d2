import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { guestCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { cachedReply } from './cached-reply.ts'
import { operatorsByCountry } from './operators-by-country.ts'
import { WHOLE_CACHED_MS } from './reply-cache.ts'

/** The country's object has operators as keys beside these fields, so no operator may have such a name. */
const RESERVED = new Set(['iso', 'prefix', 'text_en', 'text_ru'])

export const listCountries = guestCall('/guest/countries', (ctx) =>
  cachedReply(ctx, 'countries', async () => JSON.stringify(await countriesOf(ctx)), WHOLE_CACHED_MS),
)

async function countriesOf(ctx: Context) {
  const operators = await operatorsByCountry(ctx)
  const names = namesOf(catalogOf(ctx))
  const entries = [...catalogOf(ctx).countries.values()].map((row) => {
    const sold = [...(operators.get(row.id) ?? [])].filter(([slug]) => !RESERVED.has(slug))
    return [
      names.slugOf(row.id),
      {
        iso: { [row.iso2.toLowerCase()]: 1 },
        prefix: { [`+${row.dial}`]: 1 },
        text_en: row.name_en,
        text_ru: row.name_ru,
        // Object.fromEntries makes own properties for any name, `__proto__` included.
        ...Object.fromEntries(sold),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}
