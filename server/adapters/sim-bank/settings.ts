import { z } from 'zod'
import { CURRENCIES, type Currency, MICROS_PER_UNIT, parseDecimal } from '#contract/money.ts'
import { faultsOf } from '#server/adapters/shared/settings-faults.ts'
import { CURRENCY_DECIMALS } from './wire/numbers.ts'

const LONGEST_URL = 500

const protocolKey = z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 printable characters without spaces')

/** The settings needed to reach the other company, both for buying from it and for selling to it. */
export const partner = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://bank.example/agent' })
    .max(LONGEST_URL)
    .refine((text) => !/[#@]/.test(text), 'must hold no fragment, name or password'),
  key: protocolKey,
  /** The old key, valid while the other company changes to the new one (`supplier:rotate`, `outlet:rotate`). */
  previousKey: z.strictObject({ key: protocolKey, until: z.iso.datetime() }).optional(),
  /** True if bodies that we send are gzipped, as the protocol demands. */
  gzip: z.boolean().default(true),
  /** If true, the host of the other company may be in a private network, without TLS, on any port. */
  privateHost: z.boolean().default(false),
  countries: z.record(z.string().regex(/^[\w .-]{1,60}$/), z.int().min(0)).default({}),
}

const amount = z.string().transform((text, context) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  context.addIssue({ code: 'custom', message: 'must be an amount such as "9.50"' })
  return z.NEVER
})

const simBankSettings = z.strictObject({
  ...partner,
  currency: z.enum(CURRENCIES),
  /** The bank's earnings for a number. We set them, because the protocol has no prices of the bank. */
  services: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32),
        cost: amount,
        costByCountry: z.record(z.string().regex(/^\d+$/, 'must be a country id'), amount).default({}),
        theirs: z.string().min(1).max(32).optional(),
      }),
    )
    .min(1)
    .max(2_000)
    .refine((list) => new Set(list.map(({ code }) => code)).size === list.length, 'names a service twice')
    .refine(
      (list) => new Set(list.map(({ code, theirs = code }) => theirs)).size === list.length,
      'names a code of the bank twice',
    ),
  /** The secret part of our URL for PUSH_SMS. `supplier:add` makes the secret. */
  intakeKey: z.string().regex(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, - or _'),
  anyOperator: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'must be 1 to 60 of a-z, 0-9, _ and -')
    .refine((name) => name !== 'any', 'must not be "any", which means all operators')
    .default('mixed'),
  /** The seconds in which the bank must answer GET_NUMBER. Most need 3 and OnlineSIM 10, but a purchase can wait 8. */
  answerSeconds: z.number().min(0.1).max(8).default(3),
  /** The interval of checks whether a bank that did not answer answers again. */
  retrySeconds: z.number().min(0.05).max(600).default(15),
})

export type SimBankSettings = z.output<typeof simBankSettings>

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseSimBankSettings(code: string, settings: unknown): SimBankSettings {
  const parsed = simBankSettings.safeParse(settings)
  const faults = parsed.success
    ? [...faultsOfUrl('url', parsed.data), ...faultsOfCosts(parsed.data)]
    : faultsOf(parsed.error)
  if (parsed.success && faults.length === 0) return parsed.data
  throw new Error(`The settings of the sim-bank supplier "${code}" are wrong: ${faults.join('; ')}`)
}

/** Returns the fault of a URL that the guard of outside requests would block, or an empty list. */
export function faultsOfUrl(name: string, { url, privateHost }: { url: string; privateHost: boolean }): string[] {
  const { protocol, port } = new URL(url)
  if (privateHost || (protocol === 'https:' && port === '')) return []
  return [`${name}: must begin with https:// and name no other port than 443, unless privateHost is true`]
}

function faultsOfCosts({ currency, services }: SimBankSettings): string[] {
  return services.flatMap(({ cost, costByCountry }, place) =>
    [cost, ...Object.values(costByCountry)].every((micros) => fits(micros, currency))
      ? []
      : [`services.${place}: a cost in ${currency} has ${CURRENCY_DECIMALS[currency]} decimals in the protocol`],
  )
}

export function fits(micros: bigint, currency: Currency): boolean {
  return micros % (MICROS_PER_UNIT / 10n ** BigInt(CURRENCY_DECIMALS[currency])) === 0n
}
