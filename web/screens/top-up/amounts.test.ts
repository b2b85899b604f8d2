import { expect, test } from 'vitest'
import type { PaymentSystemRecord } from '#contract/payment.ts'
import { firstAmount, isWithin, quickAmounts, termsOf } from './amounts.ts'

const SYSTEM: PaymentSystemRecord = {
  key: 'card',
  name: 'Card',
  form: 'redirect',
  mark: 'card',
  currency: 'rub',
  min: '100.00',
  max: '5000.00',
  fee_percent: '3.5',
  fee_by: 'payer',
  bonus_percent: '0',
  minutes: 1,
}

test('four amounts are offered within the limits; what is missing comes first, as a whole number', () => {
  expect(quickAmounts(SYSTEM, null)).toEqual(['200.00', '500.00', '1000.00', '3000.00'])
  expect(quickAmounts(SYSTEM, '18.78')).toEqual(['100.00', '200.00', '500.00', '1000.00'])
  expect(quickAmounts(SYSTEM, '212.01')).toEqual(['220.00', '500.00', '1000.00', '3000.00'])
  expect(quickAmounts({ ...SYSTEM, fee_by: 'house' }, '212.01')[0]).toBe('213.00')
  expect(quickAmounts(SYSTEM, '9000.00')).toEqual(['200.00', '500.00', '1000.00', '3000.00'])
  expect(quickAmounts({ ...SYSTEM, min: '60000.00', max: '70000.00' }, null)).toEqual(['60000.00'])
  expect([firstAmount(SYSTEM, null), firstAmount(SYSTEM, '212.01')]).toEqual(['500.00', '220.00'])
})

test.each(['0.01', '100.00', '193.00', '212.01', '999.99'])(
  'what is proposed for %s brings it, and one unit less does not',
  (missing) => {
    for (const fee_percent of ['0', '0.01', '3.5', '99.99']) {
      const system = { ...SYSTEM, min: '1.00', max: '99999999.00', fee_percent }
      const proposed = firstAmount(system, missing)
      expect(Number(termsOf(system, proposed, []).arrives)).toBeGreaterThanOrEqual(Number(missing))
      const less = `${Number(proposed) - 1}.00`
      if (less !== '0.00') expect(Number(termsOf(system, less, []).arrives)).toBeLessThan(Number(missing))
    }
  },
)

test('limits include their ends', () => {
  expect(['99.99', '100.00', '5000.00', '5000.01'].map((amount) => isWithin(SYSTEM, amount))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('what arrives is the amount less the payer’s fee, with the bonus', () => {
  expect(termsOf(SYSTEM, '500.00', [])).toEqual({ fee: '17.50', bonus: '0.00', ofRule: null, arrives: '482.50' })
  const both = { ...SYSTEM, bonus_percent: '10' }
  expect(termsOf(both, '500.00', [])).toEqual({ fee: '17.50', bonus: '50.00', ofRule: null, arrives: '532.50' })
  expect(termsOf({ ...both, fee_by: 'house' }, '500.00', [])).toEqual({
    fee: '0.00',
    bonus: '50.00',
    ofRule: null,
    arrives: '550.00',
  })
})

test('of the rules that fit the one that gives most is counted, beside the bonus of the system', () => {
  const first = { kind: 'first', least: '100.00', percent: '20', amount: null, most: '150.00', ends_at: null } as const
  const above = { kind: 'above', least: '1000.00', percent: null, amount: '200.00', most: null, ends_at: null } as const
  const rules = [first, above]
  const system = { ...SYSTEM, fee_percent: '0', bonus_percent: '10' }
  const counted = (amount: string) => {
    const { ofRule, arrives } = termsOf(system, amount, rules)
    return [ofRule?.rule.kind ?? 'none', ofRule?.amount ?? '', arrives]
  }
  expect(counted('99.99')).toEqual(['none', '', '109.98'])
  expect(counted('100.00')).toEqual(['first', '20.00', '130.00'])
  expect(counted('999.00')).toEqual(['first', '150.00', '1248.90'])
  expect(counted('1000.00')).toEqual(['above', '200.00', '1300.00'])
})
