import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'

export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{8,100}$/

export function idempotencyKeyOf(wire: Wire | undefined): string | undefined {
  const key = wire?.request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return `v1:${key}`
  const words = wordsOf('field.idempotencyKey')
  throw invalidInput({ 'Idempotency-Key': [words] })
}
