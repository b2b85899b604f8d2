import { z } from 'zod'
import { type Currency, parseDecimal } from '#contract/money.ts'
import type { EnvironmentReader } from './environment.ts'

/** What a withdrawal may be paid to. `pattern` is of its addresses. */
export type PayoutNetwork = { code: string; names: { ru: string; en: string }; pattern: RegExp }

export type ReferralSettings = {
  /** null: the programme is closed. What was earned can still be withdrawn. */
  percent: number | null
  /** Of what invited people spend, or of what they top up. */
  of: 'spend' | 'topup'
  /** After a share is counted it waits this long. */
  pendingDays: number
  /** What an invited person pays this long after registration counts. */
  months: number
  /** The most that one invited person may bring, in the referrer's currency; null: no limit. */
  mostMicros: Record<Currency, bigint | null>
  /** The least withdrawal to an address. */
  leastMicros: Record<Currency, bigint>
  /** Empty: there are withdrawals to the balance alone. */
  networks: PayoutNetwork[]
}

const DEMO_PERCENT = '10'
const DEMO_NETWORKS =
  '[{"code":"play","names":{"en":"Play coins (demo)","ru":"Игрушечные монеты (демо)"},"pattern":"[a-z0-9]{8,40}"}]'
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

/** `REFERRAL_…`. The demo has the programme open, so that it can be seen. */
export function readReferral(read: EnvironmentReader, { demo }: { demo: boolean }): ReferralSettings {
  const percent = read.integer('REFERRAL_PERCENT', demo ? Number(DEMO_PERCENT) : 0, { min: 0, max: 100 })
  return {
    percent: percent === 0 ? null : percent,
    of: read.oneOf('REFERRAL_OF', ['spend', 'topup'], 'spend'),
    pendingDays: read.integer('REFERRAL_PENDING_DAYS', 14, { min: 0, max: 365 }),
    months: read.integer('REFERRAL_MONTHS', 12, { min: 1, max: 1200 }),
    mostMicros: {
      rub: readAmount(read, 'REFERRAL_MOST_RUB', 'none'),
      usd: readAmount(read, 'REFERRAL_MOST_USD', 'none'),
    },
    leastMicros: {
      rub: readAmount(read, 'REFERRAL_LEAST_RUB', '1000.00') ?? 0n,
      usd: readAmount(read, 'REFERRAL_LEAST_USD', '10.00') ?? 0n,
    },
    networks: readNetworks(read, demo ? DEMO_NETWORKS : null),
  }
}

function readAmount(read: EnvironmentReader, name: string, standard: string): bigint | null {
  const text = read.text(name, standard)
  if (text === 'none') return null
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  read.problem(name, 'must be an amount above zero, such as 1000.00, or none')
  return null
}

/** `[{"code":"trc20","names":{"ru":"USDT, сеть TRON","en":"USDT, TRON"},"pattern":"T[1-9A-HJ-NP-Za-km-z]{33}"}]` */
function readNetworks(read: EnvironmentReader, standard: string | null): PayoutNetwork[] {
  const text = read.optionalText('REFERRAL_NETWORKS') ?? standard
  if (text === null) return []
  try {
    const parsed = networksSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data.map((network) => ({ ...network, pattern: wholeOf(network.pattern) }))
    read.problem('REFERRAL_NETWORKS', z.prettifyError(parsed.error).replaceAll('\n', ' '))
  } catch (error) {
    read.problem('REFERRAL_NETWORKS', `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  return []
}

/** The whole address must fit. */
function wholeOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}

function isPattern(text: string): boolean {
  try {
    return wholeOf(text).source !== ''
  } catch {
    // What does not compile is none: the schema says so.
    return false
  }
}
