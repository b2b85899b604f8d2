import { DELETION_DAYS } from '#contract/account-constants.ts'
import { parseDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput, notFound, unauthenticated } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { cancelDeletionOf, type DeletionRow, storeDeletion } from './queries.ts'

export const REMINDED_BEFORE_MS = DAY

/**
 * Requests the deletion of the account, which the user may cancel for some days. A repeated call changes the sum that
 * the user gives up. Throws CONFIRM_PASSWORD, INVALID_INPUT, UNAUTHENTICATED.
 */
export async function askDeletion(
  ctx: Context,
  signedIn: SignedIn,
  input: { give_up?: string | undefined; address: string },
): Promise<void> {
  const givesUpMicros = readGivenUp(input.give_up)
  await requireConfirmed(ctx, signedIn)
  const { userId } = signedIn
  const dueAt = new Date(ctx.clock.now().getTime() + DELETION_DAYS * DAY)
  await transaction(ctx.db, (tx) => beginDeletion(ctx, tx, { userId, askedBy: 'owner', givesUpMicros, dueAt }))
  logAccountEvent(ctx, { event: 'deletion-asked-for', userId, address: input.address })
}

const MOST_MICROS = 10n ** 15n

function readGivenUp(text = '0'): bigint {
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n && micros <= MOST_MICROS) return micros
  throw invalidInput({ give_up: [wordsOf('field.amount')] })
}

type Mailing = Parameters<typeof queueMail>[0]

export type Asked = Pick<DeletionRow, 'asked_by'>['asked_by']

/** Stores the deletion. Throws UNAUTHENTICATED if the account is gone. */
export async function beginDeletion(
  ctx: Mailing,
  tx: Db,
  input: { userId: number; askedBy: Asked; givesUpMicros: bigint; dueAt: Date },
): Promise<DeletionRow> {
  const now = ctx.clock.now()
  const lookAt = new Date(Math.max(now.getTime(), input.dueAt.getTime() - REMINDED_BEFORE_MS))
  const row = await storeDeletion(tx, { ...input, now, lookAt })
  const user = await findUser(tx, input.userId)
  if (row === null || user === null) throw unauthenticated()
  if (row.is_new && user.email !== null && row.due_at > now) {
    const mail = { kind: 'deletion-begun' as const, until: row.due_at.toISOString() }
    await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
  }
  return row
}

/** Cancels the deletion. Throws NOT_FOUND if no deletion is pending. */
export async function cancelDeletion(
  ctx: Context,
  { userId }: SignedIn,
  { address }: { address: string },
): Promise<void> {
  if (!(await cancelDeletionOf(ctx.db, { userId, now: ctx.clock.now() }))) throw notFound()
  logAccountEvent(ctx, { event: 'deletion-cancelled', userId, address })
}
