import { toDecimal } from '#contract/money.ts'
import { decideWithdrawal } from '#server/core/programmes/referral/decide-withdrawal.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import {
  type Arguments,
  type Command,
  CommandRefused,
  type DatabaseCli,
  WrongUsage,
} from '#server/programs/cli/command.ts'
import { requireWithdrawal } from './referral-sheets.ts'

const TX_PATTERN = /^[\x21-\x7e]{1,200}$/

export const approveWithdrawal: Command = {
  name: 'referral:approve',
  summary: 'agree to pay a withdrawal to its address: pay it by your own wallet, then say referral:paid',
  values: ['ID'],
  changes: true,
  doubts: true,
  database: 'migrated',
  run: (cli, given) => decide(cli, given, { name: 'referral:approve', to: 'approved', txId: null }),
}

export const refuseWithdrawal: Command = {
  name: 'referral:refuse',
  summary: 'refuse a withdrawal to an address that is not paid yet: its money can be withdrawn again',
  values: ['ID'],
  changes: true,
  database: 'migrated',
  run: (cli, given) => decide(cli, given, { name: 'referral:refuse', to: 'refused', txId: null }),
}

export const payWithdrawal: Command = {
  name: 'referral:paid',
  summary: 'note that an approved withdrawal was paid, by the transaction --tx of the chain',
  values: ['ID'],
  options: { tx: { shows: 'TX', required: true } },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const { tx = '' } = given.options
    if (!TX_PATTERN.test(tx)) throw new WrongUsage('--tx is 1 to 200 printable characters without spaces')
    return decide(cli, given, { name: 'referral:paid', to: 'paid', txId: tx })
  },
}

type Decision = { name: string; to: 'approved' | 'paid' | 'refused'; txId: string | null }

function decide(cli: DatabaseCli, given: Arguments, { name, to, txId }: Decision): Promise<undefined> {
  return makeChange(cli, { name, given }, async (tx, now) => {
    const sheet = await requireWithdrawal(tx, given.values[0] ?? '')
    const { id, user_id: userId, currency, network, address, debt_micros: debt } = sheet
    if (to !== 'refused' && debt > 0n) refuseDoubtful(given, `User ${userId} owes ${toDecimal(debt)} ${currency}`)
    const row = await decideWithdrawal(tx, { id, userId, to, txId, now }).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'referral_withdrawals_tx_once')) throw error
      throw new CommandRefused(`The transaction ${txId} has paid another withdrawal already: nothing was changed`)
    })
    if (row === null) {
      const first = to === 'paid' && sheet.state === 'asked' ? '. Approve it first: referral:approve' : ''
      throw new CommandRefused(`Withdrawal ${id} is ${sheet.state}: it cannot become ${to}${first}`)
    }
    const amount = toDecimal(row.amount_micros)
    const detail = { userId, amount, currency, network, address, was: sheet.state, ...(txId !== null && { tx: txId }) }
    const says = `Withdrawal ${id} of ${amount} ${currency} to ${network} ${address} is ${to}.`
    return { subject: `referral-withdrawal:${id}`, detail, says }
  })
}
