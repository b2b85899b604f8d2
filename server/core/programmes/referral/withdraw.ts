import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import type { WithdrawalInput } from '#contract/programmes/referral.ts'
import { MINUTE } from '#contract/time.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { isBlocked } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { announceBalance } from '#server/core/payments/announce.ts'
import type { PayoutNetwork } from '#server/house/config/referral-settings.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { idempotencyConflict, inDebt } from '#server/house/errors/buying-errors.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { blocked, invalidInput } from '#server/house/errors/errors.ts'
import { withdrawalsClosed } from '#server/house/errors/payment-errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { type AccountState, collectDebt, lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { findWithdrawalByKey, insertWithdrawal, type WithdrawalRow } from './queries/withdrawals.ts'

const PAYOUT_STEP_MICROS = 10_000n
/** The rate limit exists because withdrawals are rows that are never deleted, and staff check some of them. */
const perUser = createRateLimit({ name: 'referral withdrawals of a user', burst: 20, refillMs: MINUTE })

type Wish = {
  userId: number
  amountMicros: bigint
  payout: { network: string; address: string } | null
  key: string | null
  inputHash: string
}

/**
 * Withdraws referral earnings to the balance, at once, or to a wallet address. For an address, the money leaves the
 * account with the request, so that nobody spends it twice; staff then decide. Throws INVALID_INPUT, WITHDRAWAL_OPEN,
 * WITHDRAWALS_CLOSED, IN_DEBT, BLOCKED, FORBIDDEN, CONFIRM_PASSWORD, TOO_MANY_REQUESTS, IDEMPOTENCY_CONFLICT.
 */
export async function withdrawReferral(
  ctx: Context,
  caller: MemberCaller,
  input: WithdrawalInput & { idempotencyKey: string | undefined },
): Promise<{ row: WithdrawalRow; balanceMicros: bigint }> {
  const { userId, currency } = caller.member
  const session = input.to === 'address' ? requireSession(caller) : null
  await perUser.spend(ctx, String(userId))
  const payout = input.to === 'address' ? readPayout(ctx, input) : null
  const amountMicros = readAmount(ctx, input, currency)
  // The password is confirmed after the wallet address is checked, so that nobody types it for a refused request.
  if (session !== null) await requireConfirmed(ctx, session)
  const wish: Wish = {
    userId,
    amountMicros,
    payout,
    key: input.idempotencyKey ?? null,
    inputHash: hashParts([amountMicros.toString(), payout]),
  }
  const done = await transaction(ctx.db, (tx) => withdraw(tx, wish, ctx.clock.now()))
  if (payout === null && !done.isRepeat) announceBalance(ctx, { userId, currency, availableMicros: done.balanceMicros })
  return done
}

async function withdraw(
  tx: Db,
  wish: Wish,
  now: Date,
): Promise<{ row: WithdrawalRow; balanceMicros: bigint; isRepeat: boolean }> {
  const { userId, amountMicros, payout, key } = wish
  const account = await lockAccount(tx, userId)
  const earlier = key === null ? null : await findWithdrawalByKey(tx, { userId, key })
  if (earlier !== null) {
    if (earlier.input_hash !== wish.inputHash) throw idempotencyConflict()
    return { row: earlier, balanceMicros: account.availableMicros, isRepeat: true }
  }
  if (await isBlocked(tx, userId)) throw blocked()
  requireMoney(account, wish)
  const row = await insertWithdrawal(tx, {
    user_id: userId,
    amount_micros: amountMicros,
    currency: account.currency,
    idempotency_key: key,
    target: payout === null ? 'balance' : 'address',
    state: payout === null ? 'paid' : 'asked',
    network: payout?.network ?? null,
    address: payout?.address ?? null,
    input_hash: wish.inputHash,
    now,
  })
  const kind = payout === null ? 'referral_withdrawal' : 'referral_payout'
  await moveMoney(tx, { userId, at: now, moves: [{ kind, micros: amountMicros, referralWithdrawalId: row.id }] })
  return { row, balanceMicros: await collectDebt(tx, { userId, at: now }), isRepeat: false }
}

function requireMoney(account: AccountState, { amountMicros, payout }: Wish): void {
  if (payout !== null && account.debtMicros > 0n) throw inDebt(toDecimal(account.debtMicros))
  if (amountMicros <= account.referralMicros) return
  throw invalidInput({ amount: [wordsOf('field.atMost', { maximum: toDecimal(account.referralMicros) })] })
}

function readAmount({ config }: Context, { amount, to }: WithdrawalInput, currency: Currency): bigint {
  const micros = parseDecimal(amount)
  if (micros === null || micros <= 0n) throw invalidInput({ amount: [wordsOf('field.amount')] })
  // The balance is kept in whole cents, so fractions of a cent wait until more is earned.
  if (micros % PAYOUT_STEP_MICROS !== 0n) throw invalidInput({ amount: [wordsOf('field.amount')] })
  if (to === 'balance') return micros
  const least = config.programmes.referral.leastMicros[currency]
  if (micros >= least) return micros
  throw invalidInput({ amount: [wordsOf('field.atLeast', { minimum: toDecimal(least) })] })
}

function readPayout({ config }: Context, { network: code, address = '' }: WithdrawalInput) {
  const { networks } = config.programmes.referral
  if (networks.length === 0) throw withdrawalsClosed()
  const network = networks.find((one: PayoutNetwork) => one.code === code)
  if (network === undefined) {
    const values = networks.map((one) => one.code).join(', ')
    throw invalidInput({ network: [wordsOf('field.oneOf', { values })] })
  }
  const trimmed = address.trim()
  if (!network.pattern.test(trimmed)) throw invalidInput({ address: [wordsOf('field.payoutAddress')] })
  return { network: network.code, address: trimmed }
}
