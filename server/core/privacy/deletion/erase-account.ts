import type { DeletionWait } from '#contract/privacy.ts'
import { HOUR } from '#contract/time.ts'
import { findShadow } from '#server/core/accounts/sandbox/queries.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { ServiceClock } from '#server/house/clock.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { lockAccount, type Move, moveMoney } from '#server/house/money/move-money.ts'
import { endShares, eraseCodes, eraseMessages, eraseOrigins, erasePerson } from './erase-queries.ts'
import { findOpenMatters, lockDeletion, lookLater, setDeletionState } from './queries.ts'

const BATCH = 1_000
const MAX_BATCHES = 200
/** The time, in ms, within which running requests end; a second pass then erases what they wrote. */
const SECOND_LOOK_MS = HOUR

type Mailing = Parameters<typeof queueMail>[0]

/**
 * Ends the account: nobody can sign in any more, and the mail address is free. The account is locked, so earlier
 * purchases and payments are waited for and later ones refused. Returns the reasons to wait, or null if the deletion
 * was cancelled.
 */
export async function endAccount(ctx: Mailing, tx: Db, deletionId: bigint): Promise<DeletionWait[] | null> {
  const deletion = await lockDeletion(tx, { id: deletionId, state: 'waiting' })
  if (deletion === null) return null
  const { id, user_id: userId, gives_up_micros: givesUpMicros } = deletion
  const now = ctx.clock.now()
  const { availableMicros, referralMicros } = await lockAccount(tx, userId)
  const { waitsFor } = await findOpenMatters(tx, { userId, givesUpMicros })
  if (waitsFor.length > 0) return waitsFor
  const moves: Move[] = []
  // The deletion is locked and ends in this transaction, so its idempotency keys only serve `ledger:verify`.
  if (availableMicros > 0n) moves.push({ kind: 'forfeit', micros: availableMicros, idempotencyKey: `deletion:${id}` })
  if (referralMicros > 0n) {
    moves.push({ kind: 'referral_forfeit', micros: referralMicros, idempotencyKey: `deletion:${id}:referral` })
  }
  if (moves.length > 0) await moveMoney(tx, { userId, at: now, moves })
  await endShares(tx, { userId, now })
  const user = await findUser(tx, userId)
  await erasePerson(tx, { userId, email: user?.email ?? null, now })
  await eraseShadow(tx, { userId, now })
  await setDeletionState(tx, { id, state: 'erasing', now, lookAt: now })
  const to = user?.email ?? null
  if (user !== null && to !== null)
    await queueMail(ctx, tx, { to, locale: user.locale, mail: { kind: 'account-deleted' } })
  return []
}

/**
 * Erases the user's SMS in batches, then finishes the deletion. Each batch is a transaction, so a run after a crash
 * continues.
 */
export async function eraseWords(
  { db, clock }: { db: Pool; clock: ServiceClock },
  deletion: { id: bigint; user_id: number },
): Promise<void> {
  const { id, user_id: userId } = deletion
  const shadow = await findShadow(db, userId)
  for (const person of shadow === null ? [userId] : [userId, shadow]) await eraseWordsOf(db, person)
  await transaction(db, (tx) => finish(tx, { id, userId, now: clock.now() }))
}

async function eraseWordsOf(db: Pool, userId: number): Promise<void> {
  await inBatches(() => eraseMessages(db, { userId, limit: BATCH }))
  await inBatches(() => eraseCodes(db, { table: 'activations', userId, limit: BATCH }))
  await inBatches(() => eraseCodes(db, { table: 'rentals', userId, limit: BATCH }))
  await inBatches(() => eraseOrigins(db, { userId, limit: BATCH }))
}

/** Erases the shadow account of the user's sandbox keys; its open numbers expire by themselves. */
async function eraseShadow(tx: Db, { userId, now }: { userId: number; now: Date }): Promise<void> {
  const shadow = await findShadow(tx, userId)
  if (shadow !== null) await erasePerson(tx, { userId: shadow, email: null, now })
}

async function inBatches(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await work()) < BATCH) return
  }
  throw new Error('there is more to erase than one run does')
}

async function finish(tx: Db, { id, userId, now }: { id: bigint; userId: number; now: Date }): Promise<void> {
  const deletion = await lockDeletion(tx, { id, state: 'erasing' })
  if (deletion === null) return
  const endedAt = deletion.ended_at ?? now
  const secondLookAt = new Date(endedAt.getTime() + SECOND_LOOK_MS)
  if (now < secondLookAt) return lookLater(tx, { id, lookAt: secondLookAt })
  await erasePerson(tx, { userId, email: null, now })
  await eraseShadow(tx, { userId, now })
  await setDeletionState(tx, { id, state: 'erased', now, lookAt: null })
}
