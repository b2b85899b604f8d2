import { z } from 'zod'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { CURRENCIES, parseDecimal } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { ALPHABETS } from './wire/alphabet.ts'
import { LARGEST_PDU_BYTES } from './wire/pdu.ts'

const seconds = (fallback: number, most: number) => z.number().min(0.01).max(most).default(fallback)

const amountMicros = z.string().transform((text, context) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  context.addIssue({ code: 'custom', message: 'must be an amount such as "0.35", with at most six decimals' })
  return z.NEVER
})

const port = z.number().int().min(0).max(65_535)
const path = z.string().min(1).max(1_000)
const pem = z.string().includes('-----BEGIN ', { message: 'must be PEM text' })

/** What a whole period costs us, by its hours: `{"24": "30", "168": "150"}`. */
const rentCost = z
  .record(z.string(), amountMicros)
  .refine(
    (cost) => Object.keys(cost).every((hours) => RENT_PERIODS_HOURS.some((known) => String(known) === hours)),
    `has hours other than ${RENT_PERIODS_HOURS.join(', ')}`,
  )
const countryKey = z.string().regex(/^\d+$/, 'must be a country id')

const common = {
  currency: z.enum(CURRENCIES),
  services: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32).refine(isNotFull, 'is rented, not activated: name it in rent'),
        cost: amountMicros,
        costByCountry: z.record(countryKey, amountMicros).default({}),
      }),
    )
    .max(2_000)
    .refine(namesEachOnce, 'names a service twice'),
  rent: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32),
        cost: rentCost,
        costByCountry: z.record(countryKey, rentCost).default({}),
      }),
    )
    .max(2_000)
    .refine(namesEachOnce, 'names a service twice')
    .default([]),
  /** A number serves one order at a time, and no other account for 20 minutes after. */
  exclusive: z.boolean().default(false),
  /** Sales in a row without any message set a number aside. */
  silentSales: z.number().int().min(2).max(1_000).default(5),
  defaultAlphabet: z.enum(ALPHABETS).default('gsm7'),
  partsWaitSeconds: seconds(120, 3_600),
  enquireLinkSeconds: seconds(30, 600),
  responseSeconds: seconds(10, 120),
  maxPduBytes: z.number().int().min(512).max(LARGEST_PDU_BYTES).default(16_384),
  maxInFlight: z.number().int().min(1).max(10_000).default(100),
}

function isNotFull(code: string): boolean {
  return code !== FULL_NUMBER
}

function namesEachOnce(services: { code: string }[]): boolean {
  return new Set(services.map(({ code }) => code)).size === services.length
}

const clientSettings = z.strictObject({
  mode: z.literal('client'),
  ...common,
  hosts: z
    .array(z.strictObject({ host: z.string().min(1).max(253), port: port.min(1) }))
    .min(1)
    .max(8),
  systemId: z.string().min(1).max(15),
  password: z.string().max(64),
  systemType: z.string().max(12).default(''),
  addressRange: z.string().max(40).default(''),
  bindAs: z.enum(['receiver', 'transceiver']).default('receiver'),
  /** The carrier's certificate is always checked, against `ca` or the system's authorities. */
  tls: z
    .strictObject({
      ca: pem.optional(),
      serverName: z.string().min(1).optional(),
      cert: pem.optional(),
      key: pem.optional(),
    })
    .optional(),
  reconnectSeconds: seconds(1, 600),
  reconnectMaxSeconds: seconds(60, 3_600),
  /** The retry after a refused bind is slow: some carriers lock accounts that retry too often. */
  refusedSeconds: seconds(60, 3_600),
})

/** Either PEM texts or file paths. Files may be renewed while the supplier runs. */
const serverTls = z
  .strictObject({
    cert: pem.optional(),
    key: pem.optional(),
    clientCa: pem.optional(),
    certFile: path.optional(),
    keyFile: path.optional(),
    clientCaFile: path.optional(),
  })
  .transform(({ cert, key, clientCa, certFile, keyFile, clientCaFile }, context) => {
    const hasTexts = cert !== undefined || key !== undefined || clientCa !== undefined
    const hasPaths = certFile !== undefined || keyFile !== undefined || clientCaFile !== undefined
    if (cert !== undefined && key !== undefined && !hasPaths) return { texts: { cert, key, ca: clientCa } }
    if (certFile !== undefined && keyFile !== undefined && !hasTexts) {
      return { paths: { cert: certFile, key: keyFile, ca: clientCaFile } }
    }
    context.addIssue({ code: 'custom', message: 'needs either cert and key or certFile and keyFile' })
    return z.NEVER
  })

const serverSettings = z.strictObject({
  mode: z.literal('server'),
  ...common,
  listen: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port }),
  /** A `clientCa` makes client certificates mandatory. */
  tls: serverTls.optional(),
  peers: z
    .array(
      z
        .strictObject({
          systemId: z.string().min(1).max(15),
          password: z.string().min(1).max(64).optional(),
          /** Made by `hashPassword` (credentials.ts). */
          passwordHash: z.string().startsWith('scrypt:').optional(),
          maxSessions: z.number().int().min(1).max(100).default(4),
        })
        .refine((peer) => (peer.password === undefined) !== (peer.passwordHash === undefined), {
          message: 'needs either password or passwordHash',
        }),
    )
    .min(1)
    .max(1_000)
    .refine((peers) => new Set(peers.map((peer) => peer.systemId)).size === peers.length, {
      message: 'names a systemId twice',
    }),
  maxConnections: z.number().int().min(1).max(10_000).default(64),
  maxUnboundPerAddress: z.number().int().min(1).max(1_000).default(8),
  bindSeconds: seconds(10, 120),
  wrongPasswordDelaySeconds: seconds(2, 60),
})

const smppSettings = z.discriminatedUnion('mode', [clientSettings, serverSettings])

export type SmppSettings = z.output<typeof smppSettings>
export type ClientSettings = z.output<typeof clientSettings>
export type ServerSettings = z.output<typeof serverSettings>

/** Throws one error that names every bad field, and never shows a secret's value. */
export function parseSmppSettings(code: string, settings: unknown): SmppSettings {
  const parsed = smppSettings.safeParse(settings)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`)
  throw new Error(`The settings of the SMPP supplier "${code}" are wrong: ${faults.join('; ')}`)
}
