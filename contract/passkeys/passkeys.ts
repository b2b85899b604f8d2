import { z } from 'zod'
import { PASSKEY_NAME_MAX_LENGTH } from './passkey-name.ts'

/** Bytes are in base64url without padding, as in the JSON of WebAuthn. */
const bytesSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]+$/)
const credentialIdSchema = bytesSchema(1_400)

/** Zod drops unknown fields, because newer browsers may send more fields. */
export const attestationSchema = z.object({
  id: credentialIdSchema,
  transports: z.array(z.string().max(20)).max(10).default([]),
  client_data: bytesSchema(4_000),
  attestation_object: bytesSchema(16_000),
})
export type Attestation = z.input<typeof attestationSchema>

export const assertionSchema = z.object({
  id: credentialIdSchema,
  client_data: bytesSchema(4_000),
  authenticator_data: bytesSchema(4_000),
  signature: bytesSchema(4_000),
})
export type Assertion = z.output<typeof assertionSchema>

const nameSchema = z.string().trim().min(1).max(PASSKEY_NAME_MAX_LENGTH)

export const addPasskeyInputSchema = z.object({ name: nameSchema, credential: attestationSchema })
export const renamePasskeyInputSchema = z.object({ id: z.string(), name: nameSchema })
export const passkeySignInInputSchema = z.object({ credential: assertionSchema })

/** The purposes for which a browser uses a passkey. Replies contain WebAuthn options with bytes in base64url. */
export const PASSKEY_PURPOSES = ['sign-in', 'second-factor', 'confirm'] as const
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number]
export const askPasskeyInputSchema = z.object({ purpose: z.enum(PASSKEY_PURPOSES) })
export const askPasskeyReplySchema = z.object({
  status: z.literal(true),
  challenge: z.string(),
  rp_id: z.string(),
  user_verification: z.enum(['required', 'preferred']),
  timeout_ms: z.number().int(),
})
export type AskedPasskey = z.infer<typeof askPasskeyReplySchema>

export const newPasskeyReplySchema = z.object({
  status: z.literal(true),
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string() }),
  algorithms: z.array(z.number().int()),
  /** The ids of the person's existing passkeys. A device with one of them refuses to create another. */
  exclude: z.array(z.string()),
  timeout_ms: z.number().int(),
})
export type NewPasskey = z.infer<typeof newPasskeyReplySchema>

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>
export const passkeysReplySchema = z.object({ status: z.literal(true), passkeys: z.array(passkeySchema) })
