import { MINUTE } from '#contract/time.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Context } from '#server/house/context.ts'
import { passkeyFailed } from '#server/house/errors/errors.ts'
import { keepBrowserKey, knownBrowserKey } from '#server/house/http/browser-key.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { type ChallengePurpose, insertChallenge, takeChallenge } from './queries.ts'

export const CHALLENGE_LIFETIME_MS = 5 * MINUTE
const CHALLENGE_BYTES = 32
/** The cookie ties a passkey challenge to its browser, so that no other browser can answer it (login CSRF). */
const BROWSER_COOKIE = 'passkey_state'

/**
 * Each passkey challenge stores a row for five minutes. The burst lets a whole office sign in at once from one network.
 */
const perNetwork = createRateLimit({ name: 'passkey challenges of a network', burst: 30, refillMs: MINUTE / 30 })

type Asked = { purpose: ChallengePurpose; userId: number | null }

/**
 * Returns a passkey challenge in base64url. Throws TOO_MANY_REQUESTS, and PASSKEY_FAILED without an HTTP request, which
 * must carry the cookie.
 */
export async function giveChallenge(
  ctx: Context,
  caller: Caller,
  asked: Asked & { handle: Buffer | null },
  wire: Wire | undefined,
): Promise<{ challenge: string; timeout_ms: number }> {
  if (wire === undefined) throw passkeyFailed()
  const now = ctx.clock.now()
  await perNetwork.spend(ctx, caller.network)
  const challenge = ctx.random.bytes(CHALLENGE_BYTES).toString('base64url')
  const browser = keepBrowserKey(ctx, wire, { name: BROWSER_COOKIE, path: '/api', lifetimeMs: CHALLENGE_LIFETIME_MS })
  await insertChallenge(ctx.db, {
    ...asked,
    hash: hashToken(challenge),
    browserHash: hashToken(browser),
    expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
  })
  return { challenge, timeout_ms: CHALLENGE_LIFETIME_MS }
}

/** Uses up a passkey challenge, even if the rest of the browser's answer is wrong. Throws PASSKEY_FAILED. */
export async function spendChallenge(
  ctx: Context,
  { clientData, ...asked }: Asked & { clientData: string },
  wire: Wire,
): Promise<{ challenge: string; handle: Buffer | null }> {
  const challenge = challengeIn(clientData)
  const browser = knownBrowserKey(wire, BROWSER_COOKIE)
  if (challenge === null || browser === null) throw passkeyFailed()
  const key = { ...asked, hash: hashToken(challenge), browserHash: hashToken(browser) }
  const taken = await takeChallenge(ctx.db, { ...key, now: ctx.clock.now() })
  if (taken === null) throw passkeyFailed()
  return { challenge, handle: taken.handle }
}

function challengeIn(clientData: string): string | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    const challenge = typeof read === 'object' && read !== null && 'challenge' in read ? read.challenge : null
    return typeof challenge === 'string' ? challenge : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
