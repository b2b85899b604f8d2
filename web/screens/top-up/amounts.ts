import { amountBeforeFee, bestRule, bonusOf, feeOf, pointsOf } from '#contract/formats/payment-terms.ts'
import { type Currency, MICROS_PER_UNIT, parseDecimal, toDecimal } from '#contract/money.ts'
import type { BonusRuleRecord, PaymentSystemRecord } from '#contract/payment.ts'

const CHOICES: Record<Currency, readonly string[]> = {
  rub: ['200.00', '500.00', '1000.00', '3000.00', '10000.00', '50000.00'],
  usd: ['5.00', '10.00', '20.00', '50.00', '100.00', '500.00'],
}
const SHOWN_CHOICES = 4
const FIRST_CHOICE = 1

type Limits = Pick<PaymentSystemRecord, 'min' | 'max' | 'currency'>
type Paying = Limits & Pick<PaymentSystemRecord, 'fee_percent' | 'fee_by'>

const micros = (decimal: string) => parseDecimal(decimal) ?? 0n

/** Returns four top-up amounts within the limits. The first one covers the missing money after the fee. */
export function quickAmounts(system: Paying, missing: string | null): string[] {
  const least = leastAmount(system, missing)
  const usual = CHOICES[system.currency].filter((one) => isWithin(system, one) && micros(one) > micros(least ?? '0'))
  const chosen = least === null ? usual : [least, ...usual]
  return chosen.length >= 1 ? chosen.slice(0, SHOWN_CHOICES) : [system.min]
}

export function firstAmount(system: Paying, missing: string | null): string {
  const choices = quickAmounts(system, missing)
  return (missing === null ? choices[FIRST_CHOICE] : choices[0]) ?? choices[0] ?? system.min
}

export function isWithin({ min, max }: Limits, amount: string): boolean {
  return micros(amount) >= micros(min) && micros(amount) <= micros(max)
}

export type Terms = {
  fee: string
  bonus: string
  /** The highest bonus of all bonus rules; null if none fits. */
  ofRule: { rule: BonusRuleRecord; amount: string } | null
  arrives: string
}

export function termsOf(
  { fee_percent, fee_by, bonus_percent }: PaymentSystemRecord,
  amount: string,
  rules: readonly BonusRuleRecord[],
): Terms {
  const paid = micros(amount)
  const fee = fee_by === 'payer' ? feeOf(paid, pointsOf(fee_percent)) : 0n
  const bonus = bonusOf(paid, pointsOf(bonus_percent))
  const best = bestRule(rules.map(toRule), paid)
  return {
    fee: toDecimal(fee),
    bonus: toDecimal(bonus),
    ofRule: best === null ? null : { rule: best.rule.rule, amount: toDecimal(best.micros) },
    arrives: toDecimal(paid - fee + bonus + (best?.micros ?? 0n)),
  }
}

function toRule(rule: BonusRuleRecord) {
  const { least, percent, amount, most } = rule
  return {
    rule,
    leastMicros: micros(least),
    points: percent === null ? null : Number(pointsOf(percent)),
    amountMicros: amount === null ? null : micros(amount),
    mostMicros: most === null ? null : micros(most),
  }
}

function leastAmount(system: Paying, missing: string | null): string | null {
  if (missing === null) return null
  const paid =
    system.fee_by === 'payer' ? amountBeforeFee(micros(missing), pointsOf(system.fee_percent)) : micros(missing)
  const units = (paid + MICROS_PER_UNIT - 1n) / MICROS_PER_UNIT
  const whole = units * MICROS_PER_UNIT
  if (whole > micros(system.max)) return null
  return whole < micros(system.min) ? system.min : toDecimal(whole)
}
