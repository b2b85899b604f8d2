import { isTimeZone } from '#contract/formats/time-zone.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { isDraft } from '#contract/settings/languages.ts'
import type { UserSettingsInput } from '#contract/settings/user-settings.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { type WordsKey, wordsOf } from '#server/house/errors/error-words.ts'
import { type FieldErrors, invalidInput } from '#server/house/errors/errors.ts'
import { changeSettings } from './queries.ts'

/**
 * Changes settings. A service no longer sold may stay the default service; the panel shows it as not chosen. Throws
 * INVALID_INPUT.
 */
export async function changeUserSettings(ctx: Context, userId: number, input: UserSettingsInput): Promise<void> {
  const errors = wrongFields(ctx, input)
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
  const { max_price: maxPrice } = input
  const ceiling = typeof maxPrice === 'string' ? { max_price: toDecimal(parseDecimal(maxPrice) ?? 0n) } : {}
  await changeSettings(ctx.db, { userId, settings: { ...input, ...ceiling } })
}

function wrongFields(ctx: Context, input: UserSettingsInput): FieldErrors {
  const catalog = catalogOf(ctx)
  const errors: FieldErrors = {}
  const check = <Name extends keyof UserSettingsInput>(
    name: Name,
    words: WordsKey,
    isRight: (value: NonNullable<UserSettingsInput[Name]>) => boolean,
  ) => {
    const value = input[name]
    if (value !== undefined && value !== null && !isRight(value)) errors[name] = [wordsOf(words)]
  }
  const offered = ctx.config.zones.flatMap(({ locales }) => locales)
  if (input.locale !== undefined && isDraft(input.locale) && !offered.includes(input.locale)) {
    errors.locale = [wordsOf('field.oneOf', { values: [...new Set(offered)].join(', ') })]
  }
  check('time_zone', 'field.timeZone', isTimeZone)
  check('max_price', 'field.priceAboveZero', (text) => (parseDecimal(text) ?? 0n) > 0n)
  for (const name of ['default_service_id', 'last_service_id'] as const) {
    check(name, 'BAD_SERVICE', (id) => catalog.services.has(id))
  }
  for (const name of ['default_country_id', 'last_country_id'] as const) {
    check(name, 'BAD_COUNTRY', (id) => catalog.countries.has(id))
  }
  return errors
}
