import { noteNoFunds, type Refusal } from '#server/adapters/shared/resold/buy.ts'
import type { PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import type { Reply } from '../wire/read-reply.ts'
import { type Meaning, meaningOf } from '../wire/words.ts'
import type { Account } from './account.ts'

const REASONS: Partial<Record<Meaning, RefusedPurchase['reason']>> = {
  'no-numbers': 'no-numbers',
  'no-funds': 'no-funds',
  rejected: 'rejected',
  limited: 'rejected',
  'bad-key': 'rejected',
}

const TOO_MANY = 429

/** Returns the reason of a refusal. Throws if the reply does not tell whether a number was bought. */
export function readRefusal(
  account: Account,
  order: Pick<PurchaseOrder, 'reference' | 'maxCostMicros'>,
  reply: Reply,
): Refusal {
  const meaning = reply.status === TOO_MANY ? 'limited' : meaningOf(reply.word)
  const reason = meaning === null ? undefined : REASONS[meaning]
  if (meaning === null || reason === undefined) {
    throw new Error(`a purchase was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
  account.link.note('key', meaning !== 'bad-key')
  if (meaning === 'no-funds') noteNoFunds(account, order)
  return { reason, detail: reply.word ?? '' }
}
