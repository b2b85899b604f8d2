import { parseDecimal } from '#contract/money.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'

/** Parses a price into micros; undefined means no price. Throws INVALID_INPUT for the named field. */
export function readPrice(text: string | undefined, field = 'price'): bigint | undefined {
  if (text === undefined) return undefined
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  throw invalidInput({ [field]: [wordsOf('field.price')] })
}
