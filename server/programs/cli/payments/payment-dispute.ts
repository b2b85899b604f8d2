import { wholeCents } from '#contract/formats/payment-terms.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import type { SeenReversal } from '#server/core/gateways/gateway.ts'
import { listReversals, type ReversalRow } from '#server/core/payments/queries/money.ts'
import { lockPayment } from '#server/core/payments/queries/payments.ts'
import { settlePayment } from '#server/core/payments/settle-payment.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { DISPUTED_BY_HAND } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { type Change, makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import {
  type Arguments,
  type Command,
  CommandRefused,
  type DatabaseCli,
  WrongUsage,
} from '#server/programs/cli/command.ts'
import type { PaymentSheet } from '#server/programs/cli/queries/payments.ts'
import { requirePayment } from './find-payment.ts'

const ID_PATTERN = /^[\x21-\x7e]{1,100}$/

type Asked = { tx: Db; now: Date; given: Arguments; payment: PaymentSheet; reversals: ReversalRow[]; disputeId: string }

export const disputePayment: Command = {
  name: 'payment:dispute',
  summary:
    "note that the payer's bank has taken a payment back, all of it or an AMOUNT: the money leaves the account, once for each --id of the bank",
  values: ['PAYMENT'],
  options: { id: { shows: 'ID', required: true }, amount: { shows: '500.00' } },
  changes: true,
  doubts: true,
  database: 'migrated',
  run: (cli, given) => changeDispute(cli, { name: 'payment:dispute', given }, open),
}
export const winDispute = endCommand(
  'won',
  'note that the bank gave the money of a dispute back: it returns to the account',
)
export const loseDispute = endCommand('lost', 'note that a dispute ended for the payer: the money is gone for good')

function endCommand(state: 'won' | 'lost', summary: string): Command {
  const name = `payment:dispute-${state}`
  return {
    name,
    summary,
    values: ['PAYMENT'],
    options: { id: { shows: 'ID', required: true } },
    changes: true,
    database: 'migrated',
    run: (cli, given) => changeDispute(cli, { name, given }, (asked) => end(asked, state)),
  }
}

/** Records a dispute under the payment's lock, so that the second of two concurrent commands sees the first's. */
async function changeDispute(
  cli: DatabaseCli,
  command: { name: string; given: Arguments },
  change: (asked: Asked) => Promise<Change>,
): Promise<undefined> {
  const { given } = command
  const [name = ''] = given.values
  const { id: disputeId = '' } = given.options
  if (!ID_PATTERN.test(disputeId)) throw new WrongUsage('--id is 1 to 100 printable characters without spaces')
  return makeChange(cli, command, async (tx, now) => {
    const payment = await requirePayment(tx, name)
    await lockPayment(tx, payment.id)
    const reversals = await listReversals(tx, payment.id)
    return change({ tx, now, given, payment, reversals, disputeId })
  })
}

async function open(asked: Asked): Promise<Change> {
  const { given, payment, reversals, disputeId } = asked
  const { id, currency, received_micros: received, gateway, kind } = payment
  const amountMicros = readAmount(given.options.amount) ?? received
  if (received === 0n) throw new CommandRefused(`Nothing has arrived for payment ${id}`)
  const known = findDispute(reversals, disputeId)
  if (known !== undefined) return describeKnown(asked, known, amountMicros)
  if (amountMicros > received) {
    const arrived = `${toDecimal(received)} ${currency}`
    throw new CommandRefused(`Payment ${id}: ${toDecimal(amountMicros)} is more than the ${arrived} that arrived`)
  }
  if (!DISPUTED_BY_HAND.has(kind)) refuseDoubtful(given, `${gateway} tells of disputes itself, or has none`)
  const back = reversals.filter(({ state }) => state !== 'failed' && state !== 'won')
  const backMicros = back.reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
  if (backMicros + amountMicros > received) {
    refuseDoubtful(given, `${toDecimal(backMicros)} ${currency} of payment ${id} went back before`)
  }
  return settle(asked, { amountMicros, state: 'open' })
}

function describeKnown({ payment, disputeId }: Asked, known: ReversalRow, amountMicros: bigint): Change {
  const amount = `${toDecimal(known.amount_micros)} ${payment.currency}`
  if (known.amount_micros !== amountMicros) {
    throw new CommandRefused(`The dispute ${disputeId} was noted with ${amount}: nothing moved, take another id`)
  }
  const says = `The dispute ${disputeId} of ${amount} was noted before, it is ${known.state}: nothing moved.`
  return { subject: `payment:${payment.id}`, detail: { id: disputeId }, says, unchanged: true }
}

async function end(asked: Asked, state: 'won' | 'lost'): Promise<Change> {
  const { payment, reversals, disputeId } = asked
  const known = findDispute(reversals, disputeId)
  if (known === undefined) throw new CommandRefused(`Payment ${payment.id} has no dispute ${disputeId}`)
  if (known.state === state) return describeKnown(asked, known, known.amount_micros)
  if (known.state !== 'open') throw new CommandRefused(`The dispute ${disputeId} was ${known.state} before`)
  return settle(asked, { amountMicros: known.amount_micros, state })
}

async function settle(
  { tx, now, payment, disputeId }: Asked,
  dispute: Pick<SeenReversal, 'amountMicros' | 'state'>,
): Promise<Change> {
  const { id, currency } = payment
  const reversals = [{ kind: 'dispute', providerId: disputeId, ...dispute } as const]
  const settled = await settlePayment(tx, { id, facts: { progress: 'pending', deposits: [], reversals }, now }).catch(
    (error: unknown) => {
      if (!isUniqueViolation(error, 'reversals_once')) throw error
      throw new CommandRefused(`${disputeId} is the dispute of another payment`)
    },
  )
  if (settled === null) throw new CommandRefused(`There is no payment ${id}`)
  const amount = toDecimal(dispute.amountMicros)
  const available = toDecimal(settled.availableMicros)
  const detail = { userId: payment.user_id, amount, currency, id: disputeId, state: dispute.state }
  const says = `The dispute ${disputeId} of ${amount} ${currency} is ${dispute.state}: payment ${id} is ${settled.row.state}, ${available} ${currency} are available.`
  return { subject: `payment:${id}`, detail, says, tells: { balancesOf: [payment.user_id] } }
}

function findDispute(reversals: readonly ReversalRow[], disputeId: string): ReversalRow | undefined {
  return reversals.find(({ kind, provider_id: providerId }) => kind === 'dispute' && providerId === disputeId)
}

function readAmount(text: string | undefined): bigint | null {
  if (text === undefined) return null
  const micros = parseDecimal(text)
  if (micros === null || micros <= 0n || micros !== wholeCents(micros))
    throw new WrongUsage('--amount is such as 500.00')
  return micros
}
