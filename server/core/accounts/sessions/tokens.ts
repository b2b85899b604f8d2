import { createHash, createHmac } from 'node:crypto'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { ACCESS_LIFETIME_MS, REFRESH_LIFETIME_MS } from '#server/house/http/cookies.ts'
import type { NewTokens } from './queries.ts'

/** The time within which a repeated refresh gets the same new tokens (docs/security.md). */
export const REFRESH_OVERLAP_MS = 60 * SECOND
const TOKEN_BYTES = 32

export type Tokens = { access: string; refresh: string }

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function firstTokens(ctx: Pick<Context, 'random'>): Tokens {
  const random = () => ctx.random.bytes(TOKEN_BYTES).toString('base64url')
  return { access: random(), refresh: random() }
}

/** Derives new tokens from the spent token and SECRET_KEY, so that a repeated refresh needs no stored tokens. */
export function successorTokens(ctx: Context, spent: string): Tokens {
  const derive = (purpose: string) =>
    createHmac('sha256', ctx.secrets.secretKey).update(`session ${purpose} ${spent}`).digest('base64url')
  return { access: derive('access'), refresh: derive('refresh') }
}

export function toStored(tokens: Tokens, now: Date): NewTokens {
  return {
    accessHash: hashToken(tokens.access),
    accessExpiresAt: new Date(now.getTime() + ACCESS_LIFETIME_MS),
    refreshHash: hashToken(tokens.refresh),
    refreshExpiresAt: new Date(now.getTime() + REFRESH_LIFETIME_MS),
  }
}
