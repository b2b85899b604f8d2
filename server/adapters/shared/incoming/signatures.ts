import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND } from '#contract/time.ts'

/** Compares digests of equal length in constant time, so that the comparison leaks nothing about the secret. */
export function isSame(shown: string | Buffer, expected: string | Buffer): boolean {
  const digest = (value: string | Buffer) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(shown), digest(expected))
}

/** Checks a signature against all valid secrets. All are tried, so that the duration does not tell which matched. */
export function isSignedByAny(secrets: readonly string[], isSigned: (secret: string) => boolean): boolean {
  return secrets.map(isSigned).some(Boolean)
}

export function hmac(algorithm: 'sha1' | 'sha256', secret: string, ...parts: (string | Buffer)[]): Buffer {
  const made = createHmac(algorithm, secret)
  for (const part of parts) made.update(part)
  return made.digest()
}

/** Returns a key that identifies a signed request, from the parts that the signature covers. */
export function onceKey(...parts: (string | Buffer)[]): string {
  const made = createHash('sha256')
  for (const part of parts) made.update(String(part.length)).update(':').update(part)
  return made.digest('base64url')
}

/** Reads a time in seconds since 1970. Returns null if it is no time, or differs from `at` beyond the tolerance. */
export function freshTime(seconds: string, at: Date, toleranceSeconds: number): Date | null {
  if (!/^[1-9]\d{0,11}$/.test(seconds)) return null
  const signedAt = new Date(Number(seconds) * SECOND)
  return Math.abs(at.getTime() - signedAt.getTime()) <= toleranceSeconds * SECOND ? signedAt : null
}
