import type { Locale } from '#contract/constants.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { PaymentSystemRecord } from '#contract/payment.ts'
import type { Gateway, PaymentSystem } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'

export function offeredSystems(ctx: Context, { zone, currency }: { zone: Zone; currency: Currency }): PaymentSystem[] {
  const open = gatewaysOf(ctx)
    .all()
    .flatMap(({ gateway, isPaused }) => (isPaused ? [] : [...gateway.systems]))
  const taking = open.filter(({ limits }) => limits[currency] !== undefined)
  if (zone.systems === null) return taking
  return zone.systems.flatMap((key) => taking.find((system) => system.key === key) ?? [])
}

export function offeredSystem(
  ctx: Context,
  wish: { system: string; zone: Zone; currency: Currency },
): { gateway: Gateway; system: PaymentSystem } | null {
  const isOffered = offeredSystems(ctx, wish).some(({ key }) => key === wish.system)
  return isOffered ? gatewaysOf(ctx).findSystem(wish.system) : null
}

export function toSystemRecord(system: PaymentSystem, currency: Currency, locale: Locale): PaymentSystemRecord {
  const limits = system.limits[currency]
  if (limits === undefined) throw new Error(`${system.key} takes no ${currency}`)
  return {
    key: system.key,
    name: system.names[locale],
    form: system.form,
    mark: system.mark,
    currency,
    min: toDecimal(limits.minMicros),
    max: toDecimal(limits.maxMicros),
    fee_percent: toPercent(system.feePoints),
    fee_by: system.feeBorneBy,
    bonus_percent: toPercent(system.bonusPoints),
    minutes: system.minutes,
  }
}

/** Formats hundredths of a per cent: 350 becomes "3.5". */
export function toPercent(points: number): string {
  return toDecimal(BigInt(points) * 10_000n).replace(/\.?0+$/, '')
}
