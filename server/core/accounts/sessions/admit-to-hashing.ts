import { checkCaptcha } from '#server/core/accounts/captcha/check-captcha.ts'
import { passwordHashingQueue } from '#server/core/accounts/users/password-hashing-queue.ts'
import type { UserRow } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { type Asker, askerOf } from '#server/house/limits/fair-queue.ts'
import { isDeviceOf } from './queries.ts'
import { keptDeviceHash } from './token-cookies.ts'

/**
 * Admits a sign-in to the password hashing queue. A browser known to the account skips the captcha of a half-full
 * queue. Throws CAPTCHA_FAILED.
 */
export async function admitToHashing(
  ctx: Context,
  { network }: Caller,
  { user, captcha, wire }: { user: UserRow | null; captcha: string | undefined; wire: Wire | undefined },
): Promise<Asker> {
  const deviceHash = keptDeviceHash(ctx, wire)
  // The device of an unknown e-mail address is looked up too, so that timing reveals nothing.
  const isKnown = deviceHash !== null && (await isDeviceOf(ctx.db, { userId: user?.id ?? 0, deviceHash }))
  if (!isKnown && passwordHashingQueue.isHalfFull(ctx)) await checkCaptcha(ctx, captcha)
  return askerOf(isKnown ? user?.id : undefined, network)
}
