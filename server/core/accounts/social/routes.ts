import { type Identity, PROVIDERS } from '#contract/account.ts'
import { account } from '#contract/calls/account-calls.ts'
import { listIdentities } from '#server/core/accounts/ways-in/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, unauthenticated } from '#server/house/errors/errors.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import { type Call, route } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { beginJourney } from './begin-journey.ts'
import { linkProfile } from './link-profile.ts'
import { offeredProviders } from './offered.ts'
import { signInByProfile } from './sign-in-by-profile.ts'
import { unlinkProfile } from './unlink-profile.ts'

export const socialCalls: Call[] = [
  route(account.authRedirect, async (ctx, caller, input, wire) => {
    const userId = input.purpose === 'link' ? await confirmedUser(ctx, caller) : null
    return { status: true, url: await beginJourney(ctx, caller, { provider: input.provider, userId }, wire) }
  }),
  route(account.authCallback, (ctx, caller, input, wire) => signInByProfile(ctx, caller, input, wire)),
  route(account.linkCallback, async (ctx, caller, input, wire) => {
    await linkProfile(ctx, { userId: signedInUser(caller), address: caller.address }, input, wire)
    return { status: true }
  }),
  route(account.identities, async (ctx, caller) => ({
    status: true,
    identities: await identitiesOf(ctx, caller, signedInUser(caller)),
  })),
  route(
    account.unlinkIdentity,
    acknowledge(async (ctx, caller, { provider }) => {
      const userId = await confirmedUser(ctx, caller)
      await unlinkProfile(ctx, { userId, provider, address: caller.address })
    }),
  ),
]

/** Returns the signed-in user. Throws FORBIDDEN for an API key, which may never change how its owner signs in. */
function signedInUser(caller: Caller): number {
  if (caller.member === null) throw unauthenticated()
  if (caller.member.sessionId === null) throw forbidden()
  return caller.member.userId
}

/** Returns the signed-in user. Throws CONFIRM_PASSWORD if the session has no recent confirmation of identity. */
async function confirmedUser(ctx: Context, caller: Caller): Promise<number> {
  const userId = signedInUser(caller)
  const sessionId = caller.member?.sessionId ?? null
  if (sessionId === null) throw forbidden()
  await requireConfirmed(ctx, { userId, sessionId })
  return userId
}

async function identitiesOf(ctx: Context, caller: Caller, userId: number): Promise<Identity[]> {
  const offered = offeredProviders(ctx, caller.zone.name)
  const linked = new Map((await listIdentities(ctx.db, userId)).map((row) => [row.provider, row]))
  return PROVIDERS.filter((provider) => offered.includes(provider) || linked.has(provider)).map((provider) => {
    const row = linked.get(provider)
    return { provider, name: row?.name ?? null, linked_at: row?.linked_at.toISOString() ?? null }
  })
}
