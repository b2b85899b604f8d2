import type { Currency } from '#contract/money.ts'
import { HOUR } from '#contract/time.ts'
import { decideWithdrawal } from '#server/core/programmes/referral/decide-withdrawal.ts'
import { countPaid } from '#server/core/programmes/referral/queries/count.ts'
import { insertWithdrawal } from '#server/core/programmes/referral/queries/withdrawals.ts'
import { settleSharesOf } from '#server/core/programmes/referral/settle-shares.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { addBuyer, BOOKS_START } from './books.ts'

const NO_LIMIT = { rub: null, usd: null }
const FAR_TRANSFER = 1_000_000n

type Referral = { referrerId: number; asked: bigint }

/**
 * Inserts a referrer who invited this buyer and earned a tenth of the buyer's spending. The referrer has a withdrawal
 * in every state.
 */
export async function fillReferral(pool: Pool, invitedId: number): Promise<Referral> {
  const [made] = await fillReferrals(pool, [invitedId])
  if (made === undefined) throw new Error('one buyer has one referrer')
  return made
}

/**
 * Inserts a referrer for each of these buyers, with a withdrawal in every state. Call it once per database, because it
 * counts the spending of all buyers.
 */
export async function fillReferrals(pool: Pool, invitedIds: readonly number[]): Promise<Referral[]> {
  const referrers: { userId: number; currency: Currency }[] = []
  for (const invitedId of invitedIds) referrers.push(await addReferrer(pool, invitedId))
  const of = { after: 0n, through: FAR_TRANSFER, now: BOOKS_START, kind: 'capture', percent: 10, months: 12 } as const
  await countPaid(pool, { ...of, pendingDays: 0 })
  const later = new Date(BOOKS_START.getTime() + HOUR)
  const made: Referral[] = []
  for (const { userId, currency } of referrers) {
    await transaction(pool, (tx) => settleSharesOf(tx, { userId, now: later, mostMicros: NO_LIMIT }))
    await withdraw(pool, { userId, currency, to: 'balance' })
    const paid = await withdraw(pool, { userId, currency, to: 'address' })
    for (const to of ['approved', 'paid'] as const) await decide(pool, { id: paid, userId, to })
    const refused = await withdraw(pool, { userId, currency, to: 'address' })
    await decide(pool, { id: refused, userId, to: 'refused' })
    made.push({ referrerId: userId, asked: await withdraw(pool, { userId, currency, to: 'address' }) })
  }
  return made
}

async function addReferrer(pool: Pool, invitedId: number): Promise<{ userId: number; currency: Currency }> {
  const email = `referrer-of-${invitedId}@ringpost.test`
  const { rows } = await pool.query<{ currency: Currency }>({
    text: 'SELECT currency FROM accounts WHERE user_id = $1',
    values: [invitedId],
  })
  const currency = rows[0]?.currency ?? 'rub'
  const userId = await addBuyer(pool, { email, currency, units: 0n })
  await pool.query({ text: 'UPDATE users SET referrer_id = $1 WHERE id = $2', values: [userId, invitedId] })
  return { userId, currency }
}

type Asked = { userId: number; currency: Currency; to: 'balance' | 'address' }

async function withdraw(pool: Pool, { userId, currency, to }: Asked): Promise<bigint> {
  const isPayout = to === 'address'
  return transaction(pool, async (tx) => {
    await lockAccount(tx, userId)
    const row = await insertWithdrawal(tx, {
      user_id: userId,
      amount_micros: 100_000n,
      currency,
      target: to,
      state: isPayout ? 'asked' : 'paid',
      network: isPayout ? 'trc20' : null,
      address: isPayout ? 'T-address' : null,
      input_hash: null,
      idempotency_key: null,
      now: BOOKS_START,
    })
    const kind = isPayout ? 'referral_payout' : 'referral_withdrawal'
    const moves = [{ kind, micros: row.amount_micros, referralWithdrawalId: row.id } as const]
    await moveMoney(tx, { userId, at: BOOKS_START, moves })
    return row.id
  })
}

function decide(pool: Pool, decision: { id: bigint; userId: number; to: 'approved' | 'paid' | 'refused' }) {
  const txId = decision.to === 'paid' ? `tx-${decision.id}` : null
  return transaction(pool, (tx) => decideWithdrawal(tx, { ...decision, txId, now: BOOKS_START }))
}
