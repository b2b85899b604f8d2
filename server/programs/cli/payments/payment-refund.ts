import { wholeCents } from '#contract/formats/payment-terms.ts'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { lockPayment } from '#server/core/payments/queries/payments.ts'
import { queueRefund } from '#server/core/payments/queries/refunds.ts'
import { takeForRefund } from '#server/core/payments/settling/take-for-refund.ts'
import { followRefund } from '#server/core/programmes/follow-refund.ts'
import type { Db } from '#server/house/db/pool.ts'
import { REFUNDED_BY_HAND } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { type Change, makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import type { PaymentSheet } from '#server/programs/cli/queries/payments.ts'
import { requirePayment } from './find-payment.ts'
import { AGAIN, keepKey, readKey, refuseSame, repeatOf } from './refund-repeats.ts'

export const refundPaymentByHand: Command = {
  name: 'payment:refund',
  summary:
    'pay back to its origin what arrived for a payment and has not been spent, all that is left or an AMOUNT; the bonus goes with it. Once for each --key',
  values: ['PAYMENT'],
  options: { amount: { shows: '500.00' }, key: { shows: 'KEY' } },
  switches: [AGAIN],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const wished = readAmount(given.options.amount)
    const key = readKey(given.options.key)
    return makeChange(cli, { name: 'payment:refund', given }, async (tx, now) => {
      const payment = await requirePayment(tx, given.values[0] ?? '')
      // A concurrent identical command waits here for the payment's lock, and then sees this command's result.
      await lockPayment(tx, payment.id)
      const typed = { paymentId: payment.id, wished, key }
      const repeat = await repeatOf(tx, typed)
      if (repeat !== null) return repeat
      const leftMicros = await requireLeft(tx, payment)
      const amountMicros = wished ?? leftMicros
      if (key === null) await refuseSame(tx, given, { payment, amountMicros, now })
      return refund(tx, { given, payment, amountMicros, now, keep: (id) => keepKey(tx, { id, ...typed }) })
    })
  },
}

type Refunding = {
  given: Arguments
  payment: PaymentSheet
  amountMicros: bigint
  now: Date
  keep: (reversalId: bigint) => Promise<void>
}

async function refund(tx: Db, { given, payment, amountMicros, now, keep }: Refunding): Promise<Change> {
  const { id, user_id: userId, currency } = payment
  const isByHand = REFUNDED_BY_HAND.has(payment.kind)
  const taken = await takeForRefund(tx, { id, amountMicros, state: isByHand ? 'done' : 'asked', now })
  if (taken.outcome !== 'taken') throw new CommandRefused(explain(taken, payment, amountMicros))
  await keep(taken.reversal.id)
  if (!isByHand) await queueRefund(tx, taken.reversal.id)
  const along = { bonusMicros: taken.bonusMicros, ...(await followRefund(tx, { id, userId, now })) }
  const debts = debtsOf(along, payment)
  if (debts.length > 0) refuseDoubtful(given, `Payment ${id}: ${debts.join('; ')}`)
  const { amount, ...other } = { amount: toDecimal(amountMicros), ...detailOf(along) }
  const detail = { userId, amount, currency, reversal: Number(taken.reversal.id), ...other }
  const how = isByHand ? 'Noted as paid back by hand' : `${payment.gateway} is asked to pay back`
  const goesAlong = wordsOf(along, currency)
  const more = goesAlong.length === 0 ? '' : ` With it goes ${goesAlong.join(', ')}.`
  const says = `${how}: ${amount} ${currency} of payment ${id}.${more}`
  return { subject: `payment:${id}`, detail, says, tells: { balancesOf: [userId] } }
}

function readAmount(text: string | undefined): bigint | null {
  if (text === undefined) return null
  const micros = parseDecimal(text)
  if (micros === null || micros <= 0n || micros !== wholeCents(micros))
    throw new WrongUsage('--amount is such as 500.00')
  return micros
}

/** Returns what is left to refund. An earlier refund may have ended while this command waited for the lock. */
async function requireLeft(tx: Db, { id }: PaymentSheet): Promise<bigint> {
  const { received_micros: received, reversed_micros: reversed } = await requirePayment(tx, id.toString())
  if (received === 0n) throw new CommandRefused(`Nothing has arrived for payment ${id}`)
  if (received <= reversed) throw new CommandRefused(`All of payment ${id} has gone back, or is to`)
  return received - reversed
}

type Along = { bonusMicros: bigint } & Awaited<ReturnType<typeof followRefund>>

function debtsOf({ reward, share }: Along, payment: PaymentSheet): string[] {
  const debts: string[] = []
  if (reward.owedMicros > 0n) {
    const [back, owed] = [shown(reward.backMicros, payment.currency), shown(reward.owedMicros, payment.currency)]
    debts.push(
      `its loyalty reward of ${back} goes back too, and ${owed} of it, being spent, would be a debt of its payer`,
    )
  }
  if (share !== null && share.owedMicros > 0n) {
    const [back, owed] = [shown(share.backMicros, share.currency), shown(share.owedMicros, share.currency)]
    const whose = `the referral share of ${nameOf(share)}, who invited its payer`
    debts.push(`${back} of ${whose}, goes back too, and ${owed} of it, being withdrawn, would be a debt of theirs`)
  }
  return debts
}

function wordsOf({ bonusMicros, reward, share }: Along, currency: Currency): string[] {
  const words: string[] = []
  if (bonusMicros > 0n) words.push(`a bonus of ${shown(bonusMicros, currency)}`)
  if (reward.backMicros > 0n) words.push(`a loyalty reward of ${shown(reward.backMicros, currency)}`)
  if (share !== null) words.push(`${shown(share.backMicros, share.currency)} of the referral share of ${nameOf(share)}`)
  return words
}

function detailOf({ bonusMicros, reward, share }: Along): Record<string, unknown> {
  return {
    ...(bonusMicros > 0n && { bonus: toDecimal(bonusMicros) }),
    ...(reward.backMicros > 0n && { reward: toDecimal(reward.backMicros), rewardOwed: toDecimal(reward.owedMicros) }),
    ...(share !== null && {
      share: {
        id: Number(share.id),
        userId: share.userId,
        back: toDecimal(share.backMicros),
        owed: toDecimal(share.owedMicros),
      },
    }),
  }
}

const shown = (micros: bigint, currency: Currency) => `${toDecimal(micros)} ${currency}`
const nameOf = ({ email, userId }: { email: string | null; userId: number }) => email ?? `user ${userId}`

type Untaken = Exclude<Awaited<ReturnType<typeof takeForRefund>>, { outcome: 'taken' }>

function explain(untaken: Untaken, { id, currency }: PaymentSheet, amountMicros: bigint): string {
  const amount = shown(amountMicros, currency)
  if (untaken.outcome !== 'spent') {
    return untaken.outcome === 'unknown'
      ? `There is no payment ${id}`
      : `Payment ${id}: ${amount} is more than has arrived and not gone back yet`
  }
  const { bonusMicros, feeMicros, availableMicros } = untaken
  const bonus = bonusMicros > 0n ? ` with its bonus of ${shown(bonusMicros, currency)}` : ''
  const fee = feeMicros > 0n ? `, less the fee of ${shown(feeMicros, currency)}` : ''
  const missing = amountMicros + bonusMicros - feeMicros - availableMicros
  const rest = `${shown(availableMicros, currency)} is available and ${shown(missing, currency)} has been spent`
  return `Payment ${id}: of ${amount}${bonus}${fee}, ${rest}`
}
