import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'
import { keyAction } from '#server/adapters/handler-api/serve/action.ts'
import { json, word } from '#server/adapters/handler-api/serve/answer.ts'
import { countryId, serviceCode } from '#server/adapters/handler-api/serve/parameters/parameter-schemas.ts'
import { readAmount } from '#server/adapters/shared/parameters/read-amount.ts'
import { forgetKey } from '#server/core/accounts/api-keys/key-memory.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { dropCeiling, setCeiling } from './queries.ts'

const MOST_CEILINGS = 1_000
const EVERY_SERVICE = ''

/** Only a written zero removes the limit. A negative, unreadable or too small amount is refused. */
const amountMicros = z
  .string()
  .transform((text) => {
    const micros = readAmount(text)
    return micros === 0n ? parseDecimal(text) : micros
  })
  .pipe(z.bigint().nonnegative())

/** Sets the maximum price for this API key's purchases that name none, like SMSHub. 0 removes the limit. */
export const setMaxPrice = keyAction({
  scope: 'buy',
  parameters: z.object({
    service: serviceCode.default(EVERY_SERVICE),
    country: countryId.default(0),
    maxPrice: amountMicros,
  }),
  refusals: { country: word('BAD_COUNTRY'), maxPrice: word('BAD_DATA') },
  async handle(ctx, member, { service, country, maxPrice }) {
    const key = member.key?.id
    if (service !== EVERY_SERVICE && !catalogOf(ctx).services.has(service)) return word('BAD_SERVICE')
    if (!catalogOf(ctx).countries.has(country)) return word('BAD_COUNTRY')
    if (key === undefined) return word('BAD_KEY')
    const isSet =
      maxPrice > 0n
        ? await setCeiling(ctx.db, {
            key,
            service,
            country,
            maxPriceMicros: maxPrice,
            most: MOST_CEILINGS,
            now: ctx.clock.now(),
          })
        : await dropCeiling(ctx.db, { key, service, country })
    if (!isSet) return word('CHANNELS_LIMIT')
    await forgetKey(ctx, key)
    return json({ status: 'success' })
  },
})
