import { generateURI, ScureBase32Plugin, verify } from 'otplib'
import { CODE_PATTERN } from '#contract/account-constants.ts'
import type { Random } from '#server/house/clock.ts'

/** RFC 4226 section 4 recommends a secret as long as the hash. */
const SECRET_BYTES = 20
/** The tolerance is one step of 30 s to either side, for slow people and inaccurate clocks. */
const TOLERANCE_SECONDS = 30
const STEP_SECONDS = 30
const ISSUER = 'Ringpost'

export function makeTotpSecret(random: Random): string {
  return new ScureBase32Plugin().encode(random.bytes(SECRET_BYTES))
}

export function otpauthUrl(secret: string, label: string): string {
  return generateURI({ issuer: ISSUER, label, secret })
}

export function newestStep(now: Date): bigint {
  return BigInt(Math.floor((now.getTime() / 1000 + TOLERANCE_SECONDS) / STEP_SECONDS))
}

/** Returns the RFC 6238 time step of a code; null if it is wrong or outside the tolerance. `now` is machine time. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<bigint | null> {
  if (!CODE_PATTERN.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS })
  // The library's type also covers HOTP results, which have no time step, but only TOTP is used.
  return result.valid && 'timeStep' in result ? BigInt(result.timeStep) : null
}
