import { createHmac, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH, RESEND_COOLDOWN_SECONDS } from '#contract/account.ts'
import { MAIL_CODE_MINUTES } from '#contract/mails.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'

/** Five tries for a code, one million possible codes and one new code a minute make guessing hopeless. */
export const CODE_MAX_TRIES = 5
export const CODE_LIFETIME_MS = MAIL_CODE_MINUTES * MINUTE
/** The time for which a pending registration or a pending new e-mail address accepts fresh codes. */
const WAITING_LIFETIME_MS = DAY

export type CodePurpose = 'register' | 'link-email'

export function makeCode(ctx: Context): string {
  return String(ctx.random.below(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

/** Hashes a mailed code with a secret key, because otherwise all one million codes could be hashed in a moment. */
export function hashCode(ctx: Context, input: { purpose: CodePurpose; email: string; code: string }): Buffer {
  return createHmac('sha256', ctx.secrets.secretKey)
    .update(`code ${input.purpose} ${input.email} ${input.code}`)
    .digest()
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

export type CodeTimes = {
  now: Date
  expiresAt: Date
  waitsUntil: Date
  /** The start of the cooldown; a code sent after this time is not yet replaced by a new one. */
  cooldownSince: Date
}

export function codeTimes(ctx: Context): CodeTimes {
  const now = ctx.clock.now()
  const at = (ms: number) => new Date(now.getTime() + ms)
  return {
    now,
    expiresAt: at(CODE_LIFETIME_MS),
    waitsUntil: at(WAITING_LIFETIME_MS),
    cooldownSince: at(-RESEND_COOLDOWN_SECONDS * SECOND),
  }
}
