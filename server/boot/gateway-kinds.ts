import type { Context } from '#server/context.ts'
import { createBtcpay } from '#server/gateways/btcpay/btcpay.ts'
import { createEvm } from '#server/gateways/evm/evm.ts'
import type { Gateway, GatewayRow } from '#server/gateways/gateway.ts'
import { createHeleket } from '#server/gateways/heleket/heleket.ts'
import { createSandbox } from '#server/gateways/sandbox/sandbox.ts'
import { createTransfer } from '#server/gateways/transfer/transfer.ts'
import { createTron } from '#server/gateways/tron/tron.ts'
import { createVouchers } from '#server/gateways/vouchers/vouchers.ts'
import { createYookassa } from '#server/gateways/yookassa/yookassa.ts'

type GatewayFactory = (ctx: Context, row: GatewayRow) => Gateway | Promise<Gateway>

/** A factory checks the settings and throws on a mistake in them; it calls nobody. */
export const gatewayKinds: Record<string, GatewayFactory> = {
  evm: createEvm,
  btcpay: createBtcpay,
  heleket: createHeleket,
  sandbox: createSandbox,
  // Its SDK weighs 30 MB, which only those who use it pay for.
  stripe: async (ctx, row) => (await import('#server/gateways/stripe/stripe.ts')).createStripe(ctx, row),
  transfer: createTransfer,
  tron: createTron,
  vouchers: createVouchers,
  yookassa: createYookassa,
}

/** Staff pay back before they type `payment:refund`; these have no `Gateway.refund`. */
export const REFUNDED_BY_HAND: ReadonlySet<string> = new Set([
  'btcpay',
  'evm',
  'heleket',
  'transfer',
  'tron',
  'vouchers',
])

/** Their banks' disputes come by letter: staff type `payment:dispute`. */
export const DISPUTED_BY_HAND: ReadonlySet<string> = new Set(['transfer', 'yookassa'])
