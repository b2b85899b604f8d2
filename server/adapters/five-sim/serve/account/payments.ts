import type { Context } from '#server/house/context.ts'
import { type Answer, amount, json, time } from '../answer.ts'
import { type Buyer, type Given, readCall } from '../call.ts'
import { pageOf } from '../paging.ts'
import { listBalancePayments, type PaymentRow } from '../queries/payments.ts'

const MOST_SCANNED = 20_000
/** The kinds of credit that are shown with 5sim's word for a top-up. Other kinds keep our names. */
const CHARGES = new Set(['topup', 'voucher', 'credit', 'bonus', 'channel_reward', 'loyalty', 'referral_withdrawal'])

export const listPayments = readCall('/user/payments', list, { isDear: true })

async function list(ctx: Context, given: Given, { userId }: Buyer): Promise<Answer> {
  const rows = await listBalancePayments(ctx.db, { userId, ...pageOf(given), scanned: MOST_SCANNED })
  const Data = rows.map((row) => ({
    ID: Number(row.id),
    TypeName: typeOf(row),
    ProviderName: row.system ?? 'admin',
    Amount: amount(row.delta_micros),
    Balance: amount(row.balance_micros),
    CreatedAt: time(row.at),
  }))
  return json({
    Data,
    PaymentTypes: named(Data.map(({ TypeName }) => TypeName)),
    PaymentProviders: named(Data.map(({ ProviderName }) => ProviderName)),
    Total: Number(rows[0]?.total ?? 0n),
  })
}

const typeOf = ({ kind }: PaymentRow) => (CHARGES.has(kind) ? 'charge' : kind)

const named = (names: string[]) => [...new Set(names)].map((Name) => ({ Name }))
