import { z } from 'zod'
import { ownNumbers } from '#server/adapters/shared/own-numbers/settings.ts'
import { faultsOf } from '#server/adapters/shared/settings-faults.ts'
import { ALPHABETS } from './wire/alphabet.ts'
import { LARGEST_PDU_BYTES } from './wire/pdu.ts'

const seconds = (fallback: number, most: number) => z.number().min(0.01).max(most).default(fallback)

const port = z.number().int().min(0).max(65_535)
const path = z.string().min(1).max(1_000)
const pem = z.string().includes('-----BEGIN ', { message: 'must be PEM text' })

const common = {
  ...ownNumbers,
  defaultAlphabet: z.enum(ALPHABETS).default('gsm7'),
  partsWaitSeconds: seconds(120, 3_600),
  enquireLinkSeconds: seconds(30, 600),
  responseSeconds: seconds(10, 120),
  maxPduBytes: z.number().int().min(512).max(LARGEST_PDU_BYTES).default(16_384),
  maxInFlight: z.number().int().min(1).max(10_000).default(100),
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
  /** The seconds until a retry after a refused bind: many, because some carriers lock accounts that retry often. */
  refusedSeconds: seconds(60, 3_600),
})

/** Our certificate and key as PEM texts or file paths. Files may be renewed while the supplier runs. */
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

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseSmppSettings(code: string, settings: unknown): SmppSettings {
  const parsed = smppSettings.safeParse(settings)
  if (parsed.success) return parsed.data
  const faults = faultsOf(parsed.error)
  throw new Error(`The settings of the SMPP supplier "${code}" are wrong: ${faults.join('; ')}`)
}
