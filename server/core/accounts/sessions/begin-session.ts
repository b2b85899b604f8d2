import type { TokenReply } from '#contract/account.ts'
import { CHOICE_COOKIE_SECONDS } from '#contract/constants.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import { DAY } from '#contract/time.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { notify } from '#server/core/notifications/notify.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { unauthenticated, wrongCredentials } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { cookieOf, isSecure, readOwnCookie } from '#server/house/http/cookies.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { markFresh } from '#server/house/replica/fresh.ts'
import { deviceOf } from './device.ts'
import { closeSockets } from './end-session.ts'
import { findKnownDevice, insertSession, noteSignIn, revokeByRefreshToken } from './queries.ts'
import { deviceToken, setDeviceCookie, setTokenCookies } from './token-cookies.ts'
import { firstTokens, hashToken, toStored } from './tokens.ts'

const MAX_USER_AGENT_LENGTH = 300

/**
 * Begins a session and ends the browser's former one. A new device is reported by mail, except at the first sign-in. If
 * a reset changed the password hash after `passwordHash` was proved, the sign-in fails. Throws WRONG_CREDENTIALS,
 * UNAUTHENTICATED, and FORBIDDEN for a cross-site request, which could sign somebody in to a stranger's account.
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
  const { person, sessionId, ended } = await transaction(ctx.db, async (tx) => {
    // The lock on the user's row makes concurrent first sign-ins of one device send one mail.
    const person = await noteSignIn(tx, { userId, now: session.now })
    if (person === null) throw unauthenticated()
    if (passwordHash !== null && person.passwordHash !== passwordHash) throw wrongCredentials()
    const isNew = person.signedInBefore && !(await isKnownDevice(tx, session))
    const sessionId = await insertSession(tx, session)
    if (isNew) await tellNewDevice(tx, session, sessionId)
    if (isNew && person.email !== null) {
      const { address, userAgent, now } = session
      const { email, locale, timeZone } = person
      const seen = { device: deviceOf(userAgent), address, at: now.toISOString(), timeZone }
      await queueMail(ctx, tx, { to: email, locale, mail: { kind: 'new-device', ...seen } })
    }
    const replaced = former === undefined ? null : { hash: hashToken(former), now: session.now }
    return { person, sessionId, ended: replaced === null ? null : await revokeByRefreshToken(tx, replaced) }
  })
  if (ended !== null) closeSockets(ctx, [ended.sessionId])
  logAccountEvent(ctx, { event: 'signed-in', userId, address: caller.address })
  if (wire !== undefined) setTokenCookies(ctx, wire.reply, tokens)
  // A visit to a social provider ends with a GET, which does not mark the browser by itself.
  if (wire !== undefined) markFresh(ctx, wire.reply)
  if (wire !== undefined && device !== null) setDeviceCookie(ctx, wire.reply, device)
  if (wire !== undefined && person.chosenLocale !== null) bringLocale(ctx, wire, person.chosenLocale)
  return { status: true, token: tokens.access, user: await getUser(ctx, { userId, sessionId }) }
}

/** Reports a new device by a mail, which is sent whatever channels the user has chosen, and by a notification. */
async function tellNewDevice(
  tx: Db,
  { userId, userAgent, address, now }: { userId: number; userAgent: string; address: string; now: Date },
  sessionId: bigint,
): Promise<void> {
  const details = { device: deviceOf(userAgent), address }
  const told = { kind: 'new-device', details, link: '/settings/sessions', bySession: sessionId } as const
  await notify(tx, { ...told, userId, dedupeKey: `session:${sessionId}` }, now)
}

/**
 * Returns true for a device cookie that the user had before. Without a cookie, an equal browser type at an equal IP
 * address suffices, because users ignore frequent false warnings.
 */
async function isKnownDevice(
  tx: Db,
  session: { userId: number; deviceHash: Buffer | null; address: string; userAgent: string },
): Promise<boolean> {
  const { byCookie, userAgents } = await findKnownDevice(tx, session)
  return byCookie || userAgents.some((userAgent) => deviceOf(userAgent) === deviceOf(session.userAgent))
}

/**
 * Sets the user's chosen language in a browser without a choice. The cookie is not HttpOnly, because scripts change the
 * language.
 */
function bringLocale({ config }: Context, { request, reply }: Wire, locale: InterfaceLocale): void {
  if (cookieOf(request, 'locale') !== undefined) return
  reply.setCookie('locale', locale, {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: CHOICE_COOKIE_SECONDS,
  })
}
