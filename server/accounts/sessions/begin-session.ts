import type { TokenReply } from '#contract/account.ts'
import { DAY } from '#contract/time.ts'
import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import { getUser } from '#server/accounts/users/get-user.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { unauthenticated, wrongCredentials } from '#server/errors.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { readOwnCookie } from '#server/http/cookies.ts'
import { refuseForeign } from '#server/http/refuse-foreign.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { deviceOf } from './device.ts'
import { closeSockets } from './end-session.ts'
import { findKnownDevice, insertSession, noteSignIn, revokeByRefreshToken } from './queries.ts'
import { deviceToken, setDeviceCookie, setTokenCookies } from './token-cookies.ts'
import { firstTokens, hashToken, toStored } from './tokens.ts'

const MAX_USER_AGENT_LENGTH = 300

/**
 * Signs a person in who has shown who he is: a session of its own, its cookies, and the reply of POST /api/login. A
 * device he has not used before is told to him by mail, but for his very first sign-in. The caller has looked whether
 * he is blocked. `passwordHash`: of the password he gave; one that was reset meanwhile has ended every session, so none
 * begins with it. The session that this browser had before ends. A page of another site signs nobody in, to its own account: FORBIDDEN. Throws UNAUTHENTICATED when he is
 * gone, WRONG_CREDENTIALS.
 */
export async function beginSession(
  ctx: Context,
  caller: Caller,
  { userId, passwordHash = null }: { userId: number; passwordHash?: string | null },
  wire: Wire | undefined,
): Promise<TokenReply> {
  refuseForeign(ctx, wire)
  const tokens = firstTokens(ctx)
  const device = deviceToken(ctx, wire)
  const stored = toStored(tokens, ctx.clock.now())
  const endsAt = new Date(ctx.clock.now().getTime() + ctx.config.sessionDays * DAY)
  const session = {
    ...stored,
    refreshExpiresAt: stored.refreshExpiresAt < endsAt ? stored.refreshExpiresAt : endsAt,
    userId,
    userAgent: caller.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address: caller.address,
    deviceHash: device === null ? null : hashToken(device),
    now: ctx.clock.now(),
  }
  const former = wire === undefined ? undefined : readOwnCookie(ctx.config, wire.request, 'refresh')
  const ended = await transaction(ctx.db, async (tx) => {
    // Locks the person's row: two first sign-ins from one device, at once, are told once.
    const person = await noteSignIn(tx, { userId, now: session.now })
    if (person === null) throw unauthenticated()
    if (passwordHash !== null && person.passwordHash !== passwordHash) throw wrongCredentials()
    const isNew = person.signedInBefore && !(await isKnownDevice(tx, session))
    await insertSession(tx, session)
    if (isNew && person.email !== null) {
      const { address, userAgent, now } = session
      const mail = { kind: 'new-device' as const, device: deviceOf(userAgent), address, at: now.toISOString() }
      await queueMail(ctx, tx, { to: person.email, locale: person.locale, mail })
    }
    // This browser is somebody's anew: what it held before is nobody's, its sockets included.
    return former === undefined ? null : revokeByRefreshToken(tx, { hash: hashToken(former), now: session.now })
  })
  if (ended !== null) closeSockets(ctx, [ended.sessionId])
  logAccountEvent(ctx, { event: 'signed-in', userId, address: caller.address })
  if (wire !== undefined) setTokenCookies(ctx, wire.reply, tokens)
  if (wire !== undefined && device !== null) setDeviceCookie(ctx, wire.reply, device)
  return { status: true, token: tokens.access, user: await getUser(ctx, userId) }
}

/**
 * A browser is known by its cookie. Without it (a private window, a program) the same kind of device at the same
 * address will do, so that people are not warned of themselves until they heed no warning.
 */
async function isKnownDevice(
  tx: Db,
  session: { userId: number; deviceHash: Buffer | null; address: string; userAgent: string },
): Promise<boolean> {
  const { byCookie, userAgents } = await findKnownDevice(tx, session)
  return byCookie || userAgents.some((userAgent) => deviceOf(userAgent) === deviceOf(session.userAgent))
}
