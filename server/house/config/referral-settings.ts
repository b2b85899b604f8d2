import { z } from 'zod'
import type { Currency } from '#contract/money.ts'
import { amount, inBoth, integer, judged, oneOf, type Problem, parseJson, type Table } from './kinds.ts'

/** A cryptocurrency network to which withdrawals are paid. Addresses of the network must match `pattern`. */
export type PayoutNetwork = { code: string; names: { ru: string; en: string }; pattern: RegExp }

export type ReferralSettings = {
  /** The referrer's share in per cent. Null closes the programme, but earned money can still be withdrawn. */
  percent: number | null
  /** The base of the referrer's share: what invited people spend, or what they top up. */
  of: 'spend' | 'topup'
  /** The number of days for which a counted share waits before the share can be withdrawn. */
  pendingDays: number
  /** The number of months after registration in which an invited person's payments count. */
  months: number
  /** The maximum that one invited person may earn the referrer, in the referrer's currency; null means no maximum. */
  mostMicros: Record<Currency, bigint | null>
  leastMicros: Record<Currency, bigint>
  /** The networks to which withdrawals are paid. Without networks, money can only be moved to the account's balance. */
  networks: PayoutNetwork[]
}

const DEMO_NETWORK: PayoutNetwork = {
  code: 'play',
  names: { en: 'Play coins (demo)', ru: 'Тестовые монеты (демо)' },
  pattern: wholeOf('[a-z0-9]{8,40}'),
}
const NETWORKS_EXAMPLE =
  '[{"code":"trc20","names":{"ru":"USDT, сеть TRON","en":"USDT, TRON"},"pattern":"T[1-9A-HJ-NP-Za-km-z]{33}"}]'
const MAX_NETWORKS = 20
const nameSchema = z.string().min(1).max(60)
const networksSchema = z
  .array(
    z.strictObject({
      code: z.string().regex(/^[a-z0-9-]{1,30}$/),
      names: z.strictObject({ ru: nameSchema, en: nameSchema }),
      pattern: z.string().min(1).max(200).refine(isPattern, 'is a regular expression'),
    }),
  )
  .max(MAX_NETWORKS)
  .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, 'has a code twice')

const share = (standard: string | null) => amount(standard, 'be an amount above zero, such as 1000.00, or none')

export const REFERRAL_SETTINGS = {
  REFERRAL_PERCENT: [
    integer(0, 0, 100, { demo: 10 }),
    "This [share](programmes.md#referral) of what invited people pay is the referrer's. With 0 the programme is closed.",
  ],
  REFERRAL_OF: [
    oneOf(['spend', 'topup'], 'spend'),
    '`spend` counts purchases, also with vouchers, bonuses and rewards, so that gifts cost a share more. `topup` counts payments that arrived, no gifts.',
  ],
  REFERRAL_PENDING_DAYS: [integer(14, 0, 365), 'A share waits so long after it was counted.'],
  REFERRAL_MONTHS: [integer(12, 1, 1200), 'Invited people count for so long after their registration.'],
  ...inBoth(
    'REFERRAL_MOST',
    [share(null), share(null)],
    'An invited person brings so much at most, in the currency of the referrer.',
  ),
  ...inBoth('REFERRAL_LEAST', [share('1000.00'), share('10.00')], 'A withdrawal to an address is at least so much.'),
  REFERRAL_NETWORKS: [
    judged<PayoutNetwork[]>({
      must: `be JSON: ${NETWORKS_EXAMPLE}`,
      standard: [],
      demo: [DEMO_NETWORK],
      shown: 'none, in the demo one',
      parse: readNetworks,
    }),
    'Withdrawals go to these networks, or to the balance alone. The pattern is of the whole address.',
  ],
} satisfies Table

function readNetworks(given: string, problem: Problem): PayoutNetwork[] | undefined {
  const networks = parseJson(networksSchema, given, problem)
  return networks?.map((network) => ({ ...network, pattern: wholeOf(network.pattern) }))
}

function wholeOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}

function isPattern(text: string): boolean {
  try {
    return wholeOf(text).source !== ''
  } catch {
    // A pattern that does not compile is refused here; the schema then reports it.
    return false
  }
}
