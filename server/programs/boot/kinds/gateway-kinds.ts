import { createBtcpay } from '#server/adapters/btcpay/btcpay.ts'
import { createEvm } from '#server/adapters/evm/evm.ts'
import { createHeleket } from '#server/adapters/heleket/heleket.ts'
import { createSandbox } from '#server/adapters/sandbox-gateway/sandbox.ts'
import { createTransfer } from '#server/adapters/transfer/transfer.ts'
import { createTron } from '#server/adapters/tron/tron.ts'
import { createVouchers } from '#server/adapters/vouchers/vouchers.ts'
import { createYookassa } from '#server/adapters/yookassa/yookassa.ts'
import type { Gateway, GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'

type GatewayFactory = (ctx: Context, row: GatewayRow) => Gateway | Promise<Gateway>

/** The functions that build gateways, by kind. Each throws if the settings are wrong, without a network call. */
export const gatewayKinds: Record<string, GatewayFactory> = {
  evm: createEvm,
  btcpay: createBtcpay,
  heleket: createHeleket,
  sandbox: createSandbox,
  // Stripe's SDK takes 30 MB of memory, so it is loaded only if a gateway uses it.
  stripe: async (ctx, row) => (await import('#server/adapters/stripe/stripe.ts')).createStripe(ctx, row),
  transfer: createTransfer,
  tron: createTron,
  vouchers: createVouchers,
  yookassa: createYookassa,
}

/** Gateways without `Gateway.refund`. Staff pay the money back before they type `payment:refund`. */
export const REFUNDED_BY_HAND: ReadonlySet<string> = new Set([
  'btcpay',
  'evm',
  'heleket',
  'transfer',
  'tron',
  'vouchers',
])

/** Gateways that report no disputes. The bank reports a dispute by letter, and staff type `payment:dispute`. */
export const DISPUTED_BY_HAND: ReadonlySet<string> = new Set(['transfer', 'yookassa'])
