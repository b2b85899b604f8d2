import { type Currency, toDecimal } from '#contract/money.ts'
import type { Word } from './words.ts'

/** What an action answers: a text without a line end, JSON, or nothing at all (204). */
export type Answer =
  | { kind: 'text'; text: string }
  /** `older`: the same in SMS-Activate's own types, for programs that cannot read the others (older-types.ts). */
  | { kind: 'json'; json: string | Buffer; older?: string }
  | { kind: 'nothing' }

export function text(value: string): Answer {
  return { kind: 'text', text: value }
}

/** A refusal: one word of the protocol. */
export function word(value: Word): Answer {
  return text(value)
}

export function json(value: object): Answer {
  return { kind: 'json', json: JSON.stringify(value) }
}

/** A reply that the field writes in two ways. */
export function jsonInBothTypes(value: object, older: object): Answer {
  return { kind: 'json', json: JSON.stringify(value), older: JSON.stringify(older) }
}

/** JSON that was put together, and perhaps encoded, before. */
export function readyJson(value: string | Buffer): Answer {
  return { kind: 'json', json: value }
}

export const nothing: Answer = { kind: 'nothing' }

/** An amount as a JSON number with exactly its decimals: 12.50 stays 12.50, and no float comes near it. */
export function amountNumber(micros: bigint): unknown {
  // TypeScript's library for our target does not list JSON.rawJSON yet; Node has it.
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(toDecimal(micros))
}

/** The field writes currencies as ISO 4217 numbers. */
export const CURRENCY_NUMBERS: Record<Currency, number> = { rub: 643, usd: 840 }

/** `2026-01-31 10:20:30`, always in UTC: the field writes no zone. */
export function protocolTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** The last field of a text reply. Clients split at ":" and read one line, so neither is left in it. */
export function lastField(value: string): string {
  return value.replaceAll(/[:\s]+/g, ' ').trim()
}
