import { perContext } from '#server/house/memory.ts'
import type { Gateway, PaymentSystem } from './gateway.ts'

export type GatewayAtWork = { gateway: Gateway; settingsVersion: number; isPaused: boolean }

export class RunningGateways {
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

  /** Finds a payment system. A paused gateway begins no payments but still receives payments it began. */
  findSystem(key: string): { gateway: Gateway; system: PaymentSystem } | null {
    for (const { gateway, isPaused } of this.all()) {
      const system = isPaused ? undefined : gateway.systems.find((one) => one.key === key)
      if (system !== undefined) return { gateway, system }
    }
    return null
  }

  describe(gatewayId: number, key: string): PaymentSystem | null {
    return this.byId.get(gatewayId)?.gateway.systems.find((one) => one.key === key) ?? null
  }

  put(atWork: GatewayAtWork): void {
    this.byId.set(atWork.gateway.id, atWork)
  }
}

export const gatewaysOf = perContext(
  'payment gateways',
  { scope: 'process', nodes: 'told', lost: 'nothing: they are made from their settings' },
  () => new RunningGateways(),
)
