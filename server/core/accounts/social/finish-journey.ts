import type { Provider } from '#contract/account.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { authFailed, notFound } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import { knownBrowser } from './browser-cookie.ts'
import { ERROR_WORD, failureOf } from './failure-of.ts'
import type { Profile } from './profile.ts'
import { providerOf } from './provider-of.ts'
import { takeAuthRequest } from './queries.ts'
import type { Journey } from './social-provider.ts'

export type Callback = { service: Provider; state?: string | undefined } & Record<string, string | undefined>

/**
 * Returns the profile of a user who comes back from a provider. Throws AUTH_FAILED, the same for every fault, and
 * NOT_FOUND for a provider that is not set up.
 */
export async function finishJourney(
  ctx: Context,
  input: { callback: Callback; userId: number | null },
  wire: Wire | undefined,
): Promise<Profile> {
  const { service: provider, state, ...rest } = input.callback
  const social = providerOf(ctx, provider)
  if (social === null) throw notFound()
  const browser = wire === undefined ? null : knownBrowser(wire)
  if (browser === null || state === undefined) throw authFailed()
  const sealed = await takeAuthRequest(ctx.db, {
    stateHash: hashToken(state),
    browserHash: hashToken(browser),
    provider,
    userId: input.userId,
    now: ctx.clock.now(),
  })
  if (sealed === null) throw authFailed()
  if (rest.error !== undefined) {
    ctx.log.info(
      { provider, answered: ERROR_WORD.exec(rest.error)?.[0] },
      'a provider sent somebody back with an error',
    )
    throw authFailed()
  }
  try {
    return await social.exchange({ ...openSealed(ctx, sealed), state }, toQuery({ ...rest, state }))
  } catch (error) {
    ctx.log.warn({ provider, ...failureOf(error) }, 'a social sign-in failed')
    throw authFailed()
  }
}

function openSealed(ctx: Context, sealed: Record<string, unknown>): Omit<Journey, 'state'> {
  const { value } = unseal(sealed, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  const { nonce, verifier, redirectUri } = value
  if (typeof nonce !== 'string' || typeof verifier !== 'string' || typeof redirectUri !== 'string') {
    throw new Error('an auth request was sealed without its parts')
  }
  return { nonce, verifier, redirectUri }
}

function toQuery(values: Record<string, string | undefined>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return query
}
