import type { Locale } from '#contract/constants.ts'
import type { MovementItem } from '#contract/past/history.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'

type PaidBy = { transaction_id: string | null; gateway_id: number | null; system: string | null }

export function paymentOf(ctx: Context, row: PaidBy, locale: Locale): MovementItem['payment'] {
  const { transaction_id, gateway_id: gatewayId, system } = row
  if (transaction_id === null || gatewayId === null || system === null) return null
  return { transaction_id, name: gatewaysOf(ctx).describe(gatewayId, system)?.names[locale] ?? system }
}
