import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { Withdrawal } from '#contract/programmes/referral.ts'
import type { Context } from '#server/house/context.ts'
import type { WithdrawalRow } from './queries/withdrawals.ts'

export function toWithdrawal({ config }: Context, row: WithdrawalRow, locale: Locale): Withdrawal {
  const network = config.programmes.referral.networks.find(({ code }) => code === row.network)
  return {
    id: Number(row.id),
    amount: toDecimal(row.amount_micros),
    currency: row.currency,
    to: row.target,
    network: row.network,
    network_name: network?.names[locale] ?? row.network,
    address: row.address,
    tx: row.tx,
    state: row.state,
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}
