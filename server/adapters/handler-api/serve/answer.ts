import type { ErrorCode } from '#contract/errors.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { exactNumber } from '#server/adapters/shared/exact-number.ts'

export type Answer =
  | { kind: 'text'; text: string }
  /** `older` is the same reply in the types of SMS-Activate (older-types.ts). */
  | { kind: 'json'; json: string | Buffer; older?: string }
  | { kind: 'nothing' }
  | Refusal

/**
 * A refusal, which each dialect writes in its own form (dialects/say-refusal.ts). `as` is `word` for plain text, `rent`
 * for the JSON of rentals, and `filter` for that of price lists.
 */
export type Refusal = {
  kind: 'refusal'
  word: Word
  as: 'word' | 'rent' | 'filter'
  /** Our error code, if one refusal text stands for several errors. */
  code?: ErrorCode
  lowest?: string
  until?: Date
  info?: Record<string, unknown>
}

export function text(value: string): Answer {
  return { kind: 'text', text: value }
}

export function word(value: Word, more: Partial<Refusal> = {}): Refusal {
  return { kind: 'refusal', as: 'word', word: value, ...more }
}

export function json(value: object): Answer {
  return { kind: 'json', json: JSON.stringify(value) }
}

export function jsonInBothTypes(value: object, older: object): Answer {
  return { kind: 'json', json: JSON.stringify(value), older: JSON.stringify(older) }
}

export function readyJson(value: string | Buffer): Answer {
  return { kind: 'json', json: value }
}

export const nothing: Answer = { kind: 'nothing' }

export function amountNumber(micros: bigint): unknown {
  return exactNumber(toDecimal(micros))
}

/** The currency numbers of ISO 4217. */
export const CURRENCY_NUMBERS: Record<Currency, number> = { rub: 643, usd: 840 }

/** Removes colons and line breaks, because clients split the reply at ":" and read one line. */
export function lastField(value: string): string {
  return value.replaceAll(/[:\s]+/g, ' ').trim()
}
