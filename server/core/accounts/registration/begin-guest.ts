import type { TokenReply } from '#contract/account.ts'
import { GUEST_BALANCE } from '#contract/account-constants.ts'
import { parseDecimal } from '#contract/money.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { browserOwner } from '#server/core/accounts/guests/create-or-keep.ts'
import { insertGuestEnd, isGuest } from '#server/core/accounts/guests/queries.ts'
import { beginSession } from '#server/core/accounts/sessions/begin-session.ts'
import { renewByCookie } from '#server/core/accounts/sessions/refresh.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { insertUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { forbidden, notFound, tooManyGuests } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { openAccount } from '#server/house/money/accounts.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { readOrigin } from './origin.ts'

const GUEST_MS = DAY
const GUEST_MICROS = parseDecimal(GUEST_BALANCE) ?? 0n
/** The two limits bound how many rows of guests a network, and all networks together, can make. */
const perNetwork = createRateLimit({ name: 'guests of a network', burst: 3, refillMs: 8 * HOUR })
const ofAll = createRateLimit({ name: 'guests', burst: 200, refillMs: 3 * MINUTE })

/**
 * Makes an account with play money for a visitor of the demo and signs the visitor in. The account ends after a day,
 * unless its guest registers. A browser that has a guest gets the same one. Throws NOT_FOUND outside the demo, and
 * FORBIDDEN for a cross-site request or a browser that is signed in. Throws TOO_MANY_GUESTS if the network has had its
 * guests, and TOO_MANY_REQUESTS if the demo takes no more.
 */
export async function beginGuest(ctx: Context, caller: Caller, wire: Wire | undefined): Promise<TokenReply> {
  if (!ctx.config.demo) throw notFound()
  refuseForeign(ctx, wire)
  const known = await browserOwner(ctx, ctx.db, wire)
  // A guest has one session, which a second press renews.
  if (known !== null && wire !== undefined && (await isGuest(ctx.db, known))) return renewByCookie(ctx, caller, wire)
  // A stale page of a visitor must not end the session of somebody who has signed in since.
  if (known !== null) throw forbidden()
  const { isTaken, waitMs } = await perNetwork.take(ctx, caller.network)
  if (!isTaken) throw tooManyGuests(Math.ceil(waitMs / SECOND))
  await ofAll.spend(ctx, 'all')
  const userId = await transaction(ctx.db, (tx) => insertGuest(ctx, tx, caller, wire))
  logAccountEvent(ctx, { event: 'guest-began', userId, address: caller.address })
  return beginSession(ctx, caller, { userId }, wire)
}

async function insertGuest(ctx: Context, tx: Db, { zone, locale }: Caller, wire: Wire | undefined): Promise<number> {
  const now = ctx.clock.now()
  const nobody = { email: null, name: '', passwordHash: null, role: 'user' } as const
  const userId = await insertUser(tx, { ...nobody, zone: zone.name, locale, ...readOrigin(wire), now })
  if (userId === null) throw new Error('a user without an e-mail was not inserted')
  await openAccount(tx, { userId, currency: zone.currency })
  await insertGuestEnd(tx, { userId, now, dueAt: new Date(now.getTime() + GUEST_MS) })
  await adjustBalance(tx, { userId, amountMicros: GUEST_MICROS, idempotencyKey: 'guest', at: now })
  return userId
}
