import { parseDecimal } from '#contract/money.ts'
import { invalidInput } from '#server/errors.ts'

/** Micros; undefined for no price. Throws INVALID_INPUT for the field. */
export function readPrice(text: string | undefined, field = 'price'): bigint | undefined {
  if (text === undefined) return undefined
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  throw invalidInput({ [field]: [{ ru: 'Цена пишется как 12.50', en: 'A price is written like 12.50' }] })
}
