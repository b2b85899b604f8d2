import type { Provider } from '#contract/account.ts'
import { MINUTE } from '#contract/time.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import { seal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { authFailed, notFound } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { siteOrigin } from '#server/house/http/request-origin.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { browserOf } from './browser-cookie.ts'
import { failureOf } from './failure-of.ts'
import { offeredProviders } from './offered.ts'
import { providerOf } from './provider-of.ts'
import { insertAuthRequest } from './queries.ts'
import type { Journey } from './social-provider.ts'

export const JOURNEY_LIFETIME_MS = 10 * MINUTE
const SECRET_BYTES = 32

/** The rate limit exists because each sign-in stores a row and may fetch the provider's discovery document. */
const perAddress = createRateLimit({ name: 'social sign-ins of a network', burst: 20, refillMs: MINUTE / 20 })

/**
 * Returns the URL at which the user signs in with the provider; `userId` is null before a sign-in. Throws NOT_FOUND,
 * AUTH_FAILED, TOO_MANY_REQUESTS.
 */
export async function beginJourney(
  ctx: Context,
  caller: Caller,
  input: { provider: Provider; userId: number | null },
  wire: Wire | undefined,
): Promise<string> {
  const social = providerOf(ctx, input.provider)
  if (social === null || !offeredProviders(ctx, caller.zone.name).includes(input.provider)) throw notFound()
  if (wire === undefined) throw authFailed()
  const now = ctx.clock.now()
  await perAddress.spend(ctx, caller.network)
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
    sealed: seal({ nonce, verifier, redirectUri }, ctx.secrets.secretKey, ctx.random),
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
    redirectUri: `${siteOrigin(ctx.config, wire.request)}/auth/${input.provider}/${page}`,
  }
}
