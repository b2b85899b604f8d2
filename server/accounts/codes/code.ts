import { createHmac, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH, RESEND_COOLDOWN_SECONDS } from '#contract/account.ts'
import { MAIL_CODE_MINUTES } from '#contract/mails.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'

/** Tries of one code. With a million codes and a new one a minute, guessing is hopeless. */
export const CODE_MAX_TRIES = 5
export const CODE_LIFETIME_MS = MAIL_CODE_MINUTES * MINUTE
/** How long a new code may be asked for, for what began with an earlier one. */
const WAITING_LIFETIME_MS = DAY

/** What a code is good for. A code of one purpose, or for one address, is none for another. */
export type CodePurpose = 'register' | 'link-email'

export function makeCode(ctx: Context): string {
  return String(ctx.random.below(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

/** HMAC with SECRET_KEY: what the database keeps of a code. A million codes would be hashed in a moment without the key. */
export function hashCode(ctx: Context, input: { purpose: CodePurpose; email: string; code: string }): Buffer {
  return createHmac('sha256', ctx.secretKey).update(`code ${input.purpose} ${input.email} ${input.code}`).digest()
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The times of a code that is sent now. */
export type CodeTimes = {
  now: Date
  expiresAt: Date
  waitsUntil: Date
  /** One that was sent later than this is left as it is. */
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
