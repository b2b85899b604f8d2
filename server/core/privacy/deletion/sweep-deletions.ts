import { HOUR } from '#contract/time.ts'
import { dropKey } from '#server/core/accounts/api-keys/key-memory.ts'
import { listSecretsOf } from '#server/core/accounts/api-keys/queries.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { endAccount, eraseWords } from './erase-account.ts'
import { type DeletionRow, listDueDeletions, lookLater, noteReminded } from './queries.ts'

const LIMIT = 50
/** The pause before an account with open purchases or payments is checked again; they end by themselves or by hand. */
const LOOK_AGAIN_MS = HOUR

/** Runs due deletions. A deletion that fails waits for an hour, and others continue. */
export async function sweepDeletions(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  for (const deletion of await listDueDeletions(ctx.db, { now, limit: LIMIT })) {
    try {
      await goOn(ctx, deletion)
    } catch (error) {
      ctx.log.error({ error, userId: deletion.user_id }, 'an account could not be deleted')
      await lookLater(ctx.db, { id: deletion.id, lookAt: new Date(now.getTime() + LOOK_AGAIN_MS) })
    }
  }
}

async function goOn(ctx: Context, deletion: DeletionRow): Promise<void> {
  const now = ctx.clock.now()
  if (deletion.state === 'waiting' && now < deletion.due_at) return remind(ctx, deletion)
  if (deletion.state === 'waiting') {
    const keys = await listSecretsOf(ctx.db, deletion.user_id)
    const waitsFor = await transaction(ctx.db, (tx) => endAccount(ctx, tx, deletion.id))
    if (waitsFor === null) return
    if (waitsFor.length > 0) {
      await lookLater(ctx.db, { id: deletion.id, lookAt: new Date(now.getTime() + LOOK_AGAIN_MS) })
      return
    }
    for (const key of keys) dropKey(ctx, key)
    ctx.realtime.closeUser(deletion.user_id)
    tellNodes(ctx, { kind: 'user-shut-out', userId: deletion.user_id })
    ctx.log.info({ userId: deletion.user_id }, 'an account was deleted')
  }
  await eraseWords(ctx, deletion)
}

async function remind(ctx: Context, deletion: DeletionRow): Promise<void> {
  const { id, user_id: userId, due_at: dueAt } = deletion
  await transaction(ctx.db, async (tx) => {
    const isFirst = await noteReminded(tx, { id, now: ctx.clock.now(), lookAt: dueAt })
    const user = await findUser(tx, userId)
    if (!isFirst || user === null || user.email === null) return
    const mail = { kind: 'deletion-soon' as const, until: dueAt.toISOString() }
    await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
  })
}
