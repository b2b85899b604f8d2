import { hash } from 'node:crypto'
import type { Random } from '#server/house/clock.ts'

/** Clients of the handler_api protocol refuse keys of any other length than 32 (docs/api/handler_api.md). */
export const API_KEY_LENGTH = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const API_KEY_PATTERN = /^[A-Za-z0-9]{32}$/

export function makeApiKey(random: Random): string {
  return Array.from({ length: API_KEY_LENGTH }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
