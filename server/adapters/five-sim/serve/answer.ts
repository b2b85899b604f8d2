import { toDecimal } from '#contract/money.ts'
import { exactNumber } from '#server/adapters/shared/exact-number.ts'
import type { Word } from '../wire/words.ts'
import { type Refused, refused } from './refusals.ts'

export type Answer = { json: Buffer; etag?: string } | { refused: Refused }

export function json(value: unknown): Answer {
  return { json: Buffer.from(JSON.stringify(value)) }
}

export function word(said: Word, httpStatus?: number): Answer {
  return { refused: refused(said, httpStatus) }
}

/** Writes an amount as the language Go writes a float, so 13.00 becomes 13, and 12.50 becomes 12.5. */
export function amountText(micros: bigint): string {
  return toDecimal(micros).replace(/\.?0+$/, '')
}

export function amount(micros: bigint): unknown {
  return exactNumber(amountText(micros))
}

/** Writes a time in UTC such as `2018-10-13T08:13:38.809469028Z`. `below` is the part below a ms, in ns. */
export function time(at: Date, below = 0n): string {
  return at.toISOString().replace('Z', `${below.toString().padStart(6, '0')}Z`)
}
