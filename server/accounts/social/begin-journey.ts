import type { Provider } from '#contract/account.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { hashToken } from '#server/accounts/sessions/tokens.ts'
import { seal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { authFailed, notFound, tooManyRequests } from '#server/errors.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { createRateLimit } from '#server/http/door/rate-limit.ts'
import { browserOf } from './browser-cookie.ts'
import { failureOf } from './failure-of.ts'
import { offeredProviders } from './offered.ts'
import { providerOf } from './provider-of.ts'
import { insertAuthRequest } from './queries.ts'
import type { Journey } from './social-provider.ts'

/** How long somebody may be away at the provider. */
export const JOURNEY_LIFETIME_MS = 10 * MINUTE
const SECRET_BYTES = 32

/** Each leaves a row for ten minutes and may ask the provider for its endpoints. */
const perAddress = createRateLimit({ burst: 20, refillMs: MINUTE / 20 })

/**
 * Prepares a way to a provider and back, and returns where the browser goes. `userId`: who links, null for a sign-in.
 * Throws NOT_FOUND when the provider is not offered here, AUTH_FAILED when it is away, TOO_MANY_REQUESTS.
 */
export async function beginJourney(
  ctx: Context,
  caller: Caller,
  input: { provider: Provider; userId: number | null },
  wire: Wire | undefined,
): Promise<string> {
  const social = providerOf(ctx, input.provider)
  if (social === null || !offeredProviders(ctx, caller.zone.name).includes(input.provider)) throw notFound()
  // Only a browser can go somewhere and come back.
  if (wire === undefined) throw authFailed()
  const now = ctx.clock.now()
  const waitMs = perAddress.take(ctx, caller.network, now)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
  const journey = newJourney(ctx, input, wire)
  const url = await social.authorizeUrl(journey).catch((error: unknown) => {
    ctx.log.warn({ provider: input.provider, ...failureOf(error) }, 'a social sign-in could not begin')
    throw authFailed()
  })
  const { nonce, verifier, redirectUri } = journey
  await insertAuthRequest(ctx.db, {
    ...input,
    stateHash: hashToken(journey.state),
    browserHash: hashToken(browserOf(ctx, wire, JOURNEY_LIFETIME_MS)),
    sealed: seal({ nonce, verifier, redirectUri }, ctx.secretKey, ctx.random),
    expiresAt: new Date(now.getTime() + JOURNEY_LIFETIME_MS),
  })
  return url.href
}

function newJourney(ctx: Context, input: { provider: Provider; userId: number | null }, wire: Wire): Journey {
  const random = () => ctx.random.bytes(SECRET_BYTES).toString('base64url')
  const page = input.userId === null ? 'callback' : 'link-callback'
  return {
    state: random(),
    nonce: random(),
    verifier: random(),
    redirectUri: `${originOf(ctx, wire)}/auth/${input.provider}/${page}`,
  }
}

/**
 * The address people came through, if it is one of ours: what a Host header says is not believed by itself. The demo is
 * opened under whatever name its machine has, and by nobody else.
 */
function originOf(ctx: Context, wire: Wire): string {
  const { protocol, port, origin } = ctx.config.publicUrl
  const { hostname, host } = wire.request
  if (ctx.config.demo) return `${protocol}//${host}`
  const ours = ctx.config.zones.some((zone) => zone.hosts.includes(hostname))
  return ours ? `${protocol}//${hostname}${port && `:${port}`}` : origin
}
