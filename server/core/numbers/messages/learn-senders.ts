import { DAY } from '#contract/time.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import {
  countMatches,
  countReporters,
  forgetLearnt,
  ignoreLearnt,
  insertLearnt,
  insertMatches,
  type MatchCount,
} from './learning-queries.ts'
import { pendingMatchesOf } from './pending-matches.ts'
import { type SenderBook, senderBookOf } from './sender-book.ts'
import { mayBeLearnt, namesOfSender } from './sender-name.ts'

const MEMORY_MS = 30 * DAY
/** The minimum number of older accounts that must agree on a sender, because anyone can forge sender names. */
const MIN_ACCOUNTS = 5
const MIN_DAYS = 3
const MIN_ACCOUNT_AGE_MS = 7 * DAY

/**
 * Learns which service a sender belongs to, from the senders and services of delivered messages. Forgets a sender whose
 * messages named services of different families (families.ts), which share no numbers.
 */
export async function learnSenders(ctx: Pick<Context, 'db' | 'clock' | 'log' | 'memory'>): Promise<void> {
  const matches = pendingMatchesOf(ctx).take()
  if (matches.length === 0) return
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - MEMORY_MS)
  const bornBefore = new Date(now.getTime() - MIN_ACCOUNT_AGE_MS)
  await transaction(ctx.db, async (tx) => {
    await insertMatches(tx, { matches, bornBefore, now })
    const senders = [...new Set(matches.map(({ sender }) => sender))]
    const counts = await countMatches(tx, { senders, since })
    const judged = senders.map((sender) => ({
      sender,
      services: servicesToLearn(
        senderBookOf(ctx),
        counts.filter((count) => count.sender === sender),
      ),
    }))
    const learnt = judged.flatMap(({ sender, services }) =>
      (services ?? []).map((serviceCode) => ({ sender, serviceCode })),
    )
    const doubtful = judged.filter(({ services }) => services === null).map(({ sender }) => sender)
    const changed = (await insertLearnt(tx, learnt)) + (await forgetLearnt(tx, doubtful))
    if (changed === 0) return
    await raiseCatalogVersion(tx, now)
    ctx.log.info({ learnt, forgotten: doubtful }, 'senders were learnt or forgotten')
  })
}

/**
 * Returns the services to learn for a sender, none if too few accounts agree. Returns null if the accounts disagree.
 */
function servicesToLearn(book: SenderBook, counts: readonly MatchCount[]): string[] | null {
  if (new Set(counts.map((count) => book.familyOf(count.service_code))).size > 1) return null
  const accounts = new Set(counts.flatMap((count) => count.user_ids))
  const days = new Set(counts.flatMap((count) => count.days))
  return accounts.size >= MIN_ACCOUNTS && days.size >= MIN_DAYS ? counts.map((count) => count.service_code) : []
}

const PLAIN_NAME = /^[\p{L}\p{N} ._-]+$/u

/**
 * Ignores an alphabetic sender whose texts name no service, once enough older accounts reported on several days that
 * its messages are not their codes. Senders that the seed or staff know, and names of services, are exempt, because
 * buyers can send themselves messages under any name.
 */
export async function learnReported(
  ctx: Pick<Context, 'memory' | 'log'>,
  tx: Db,
  { sender, now }: { sender: string; now: Date },
): Promise<void> {
  const name = namesOfSender(sender).at(-1)
  if (
    name === undefined ||
    !mayBeLearnt(name) ||
    !PLAIN_NAME.test(name) ||
    senderBookOf(ctx).ignoredBy(sender) !== null
  )
    return
  const { senders, words } = senderBookOf(ctx).index()
  if (senders.get(name)?.learnt === false || words.find(sender, name).length > 0) return
  const since = new Date(now.getTime() - MEMORY_MS)
  const bornBefore = new Date(now.getTime() - MIN_ACCOUNT_AGE_MS)
  const { accounts, days } = await countReporters(tx, { sender, since, bornBefore })
  if (accounts < MIN_ACCOUNTS || days < MIN_DAYS) return
  await forgetLearnt(tx, [name])
  if (!(await ignoreLearnt(tx, name))) return
  await raiseCatalogVersion(tx, now)
  ctx.log.info({ sender: name }, 'a sender is ignored, because buyers reported its messages')
}
