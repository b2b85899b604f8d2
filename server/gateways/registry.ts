import { perContext } from '#server/memory.ts'
import { createBtcpay } from './btcpay/btcpay.ts'
import { createEvm } from './evm/evm.ts'
import type { Gateway, GatewayContext, GatewayRow, PaymentSystem } from './gateway.ts'
import { createHeleket } from './heleket/heleket.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { createTransfer } from './transfer/transfer.ts'
import { createTron } from './tron/tron.ts'
import { createVouchers } from './vouchers/vouchers.ts'
import { createYookassa } from './yookassa/yookassa.ts'

type GatewayFactory = (ctx: GatewayContext, row: GatewayRow) => Gateway | Promise<Gateway>

/** A factory checks the settings and throws on a mistake in them; it calls nobody. */
export const gatewayKinds: Record<string, GatewayFactory> = {
  evm: createEvm,
  btcpay: createBtcpay,
  heleket: createHeleket,
  sandbox: createSandbox,
  // Its SDK weighs 30 MB, which only those who use it pay for.
  stripe: async (ctx, row) => (await import('./stripe/stripe.ts')).createStripe(ctx, row),
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

export type GatewayAtWork = { gateway: Gateway; settingsVersion: number; isPaused: boolean }

export class GatewayRegistry {
  private byId = new Map<number, GatewayAtWork>()

  get(id: number): GatewayAtWork | undefined {
    return this.byId.get(id)
  }

  byCode(code: string): GatewayAtWork | undefined {
    return this.all().find(({ gateway }) => gateway.code === code)
  }

  all(): GatewayAtWork[] {
    return [...this.byId.values()]
  }

  /** A paused gateway begins no payments; it still hears of those it began. */
  findSystem(key: string): { gateway: Gateway; system: PaymentSystem } | null {
    for (const { gateway, isPaused } of this.all()) {
      const system = isPaused ? undefined : gateway.systems.find((one) => one.key === key)
      if (system !== undefined) return { gateway, system }
    }
    return null
  }

  /** Of a paused gateway too, for payments of before. */
  describe(gatewayId: number, key: string): PaymentSystem | null {
    return this.byId.get(gatewayId)?.gateway.systems.find((one) => one.key === key) ?? null
  }

  put(atWork: GatewayAtWork): void {
    this.byId.set(atWork.gateway.id, atWork)
  }
}

export const gatewaysOf = perContext(
  'payment gateways',
  { scope: 'process', lost: 'nothing: they are made from their settings' },
  () => new GatewayRegistry(),
)
