import { type Currency, toDecimal } from '#contract/money.ts'
import type { Word } from './words.ts'

export type Answer =
  | { kind: 'text'; text: string }
  /** `older`: the same in SMS-Activate's types (older-types.ts). `refused`: the word of a refusal. */
  | { kind: 'json'; json: string | Buffer; older?: string; refused?: string }
  | { kind: 'nothing' }

export function text(value: string): Answer {
  return { kind: 'text', text: value }
}

export function word(value: Word): Answer {
  return text(value)
}

export function json(value: object): Answer {
  return { kind: 'json', json: JSON.stringify(value) }
}

export function refusedJson(value: object, refused: string): Answer {
  return { kind: 'json', json: JSON.stringify(value), refused }
}

export function jsonInBothTypes(value: object, older: object): Answer {
  return { kind: 'json', json: JSON.stringify(value), older: JSON.stringify(older) }
}

export function readyJson(value: string | Buffer): Answer {
  return { kind: 'json', json: value }
}

export const nothing: Answer = { kind: 'nothing' }

/** A JSON number with its exact decimals: 12.50 stays 12.50, without a float. */
export function amountNumber(micros: bigint): unknown {
  // The cast adds JSON.rawJSON, which Node has and our TypeScript target lacks.
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(toDecimal(micros))
}

/** ISO 4217 numbers. */
export const CURRENCY_NUMBERS: Record<Currency, number> = { rub: 643, usd: 840 }

/** `2026-01-31 10:20:30` in UTC; the protocol has no zone. */
export function protocolTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** Clients split at ":" and read one line, so neither is left in it. */
export function lastField(value: string): string {
  return value.replaceAll(/[:\s]+/g, ' ').trim()
}
