import { type CodeTimes, codeTimes, hashCode, makeCode } from '#server/core/accounts/codes/code.ts'
import { reserveMail, withMailSlot } from '#server/core/accounts/codes/mail-rate-limit.ts'
import { findUserByEmail, type UserRow } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

type StoreCode = (
  tx: Db,
  code: { userId: number; email: string; codeHash: Buffer; times: CodeTimes },
) => Promise<boolean>

/** A taken address gets a stored code but no mail: nobody learns that it is taken. Throws TOO_MANY_REQUESTS. */
export async function sendEmailCode(
  ctx: Context,
  user: Pick<UserRow, 'id' | 'locale'>,
  input: { email: string; address: string; store: StoreCode },
): Promise<void> {
  const { email, address } = input
  const slot = reserveMail(ctx, { address, email, purpose: 'link-email' })
  if (slot === null) return
  const code = makeCode(ctx)
  const codeHash = hashCode(ctx, { purpose: 'link-email', email, code })
  const work = () =>
    transaction(ctx.db, async (tx) => {
      const owner = await findUserByEmail(tx, email)
      const isNew = await input.store(tx, { userId: user.id, email, codeHash, times: codeTimes(ctx) })
      if (!isNew) slot.giveBack()
      if (!isNew || (owner !== null && owner.id !== user.id)) return
      await queueMail(ctx, tx, { to: email, locale: user.locale, mail: { kind: 'link-email', code } })
    })
  await withMailSlot(slot, work)
}
