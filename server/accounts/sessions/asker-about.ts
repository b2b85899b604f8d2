import { checkCaptcha } from '#server/accounts/captcha/check-captcha.ts'
import { isHashingCrowded } from '#server/accounts/users/hash-turns.ts'
import type { UserRow } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { type Asker, askerOf } from '#server/http/door/fair-queue.ts'
import { isDeviceOf } from './queries.ts'
import { keptDeviceHash } from './token-cookies.ts'

/**
 * As whom somebody who is not signed in waits for a hash that is about this account, or about none: a browser that has been
 * signed in to it before has a place kept. Anybody else solves a riddle while strangers crowd. Throws CAPTCHA_FAILED.
 */
export async function askerAbout(
  ctx: Context,
  { network }: Caller,
  { user, captcha, wire }: { user: UserRow | null; captcha: string | undefined; wire: Wire | undefined },
): Promise<Asker> {
  const deviceHash = keptDeviceHash(ctx, wire)
  // Asked for an unknown address too, so that it takes as long.
  const isKnown = deviceHash !== null && (await isDeviceOf(ctx.db, { userId: user?.id ?? 0, deviceHash }))
  if (!isKnown && isHashingCrowded(ctx)) await checkCaptcha(ctx, captcha)
  return askerOf(isKnown ? user?.id : undefined, network)
}
