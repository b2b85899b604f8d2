import { z } from 'zod'
import { CODE_PATTERN, EMAIL_MAX_LENGTH, EMAIL_PATTERN, PASSWORD_MAX_LENGTH, PROVIDERS } from './account-constants.ts'
import { assertionSchema } from './passkeys/passkeys.ts'
import { userSchema } from './user.ts'

export * from './account-constants.ts'

const emailSchema = z
  .string()
  .trim()
  .min(1)
  .max(EMAIL_MAX_LENGTH, { abort: true })
  .regex(EMAIL_PATTERN, { abort: true })
/** The local part of an address follows RFC 5321, without quoted strings. */
const WRITABLE_NAME = /(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*/.source
const WRITABLE_LABEL = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?/u.source
/** The host of an e-mail address may be in any alphabet, but few mail servers accept other letters before the @. */
const WRITABLE_EMAIL = new RegExp(`^${WRITABLE_NAME}@${WRITABLE_LABEL}(?:\\.${WRITABLE_LABEL})+$`, 'u')
/** The validation message for a text that has the form of an e-mail address but cannot receive mail. */
export const UNWRITABLE = 'unwritable'
/** Only new addresses must match WRITABLE_EMAIL. Existing accounts sign in with whatever address they have. */
const newEmailSchema = emailSchema.regex(WRITABLE_EMAIL, UNWRITABLE)
const codeSchema = z.string().regex(CODE_PATTERN)
/** This schema checks only the length. The server checks a password's strength and reuse, with a message for each. */
const passwordSchema = z.string().min(1).max(PASSWORD_MAX_LENGTH)
const oneTimePasswordSchema = z.string().trim().min(1).max(20)
const captchaSchema = z.string().max(10_000)

/** A sign-in sends an e-mail address and a password, or a one-use token after a social sign-in with a second factor. */
export const loginInputSchema = z.object({
  email: z.string().trim().min(1).max(EMAIL_MAX_LENGTH).optional(),
  password: passwordSchema.optional(),
  one_time_password: oneTimePasswordSchema.optional(),
  pending_token: z.string().min(1).max(100).optional(),
  passkey: assertionSchema.optional(),
  /** The answer to a captcha. The error CAPTCHA_FAILED asks for it if very many people sign in at the same time. */
  captcha: captchaSchema.optional(),
})
/** The refresh token travels only in its HttpOnly cookie. */
export const tokenReplySchema = z.object({ status: z.literal(true), token: z.string(), user: userSchema })
export type TokenReply = z.infer<typeof tokenReplySchema>

export const doneSchema = z.object({ status: z.literal(true), message: z.string().optional() })
export type Done = z.infer<typeof doneSchema>

export const registerInputSchema = z.object({
  email: newEmailSchema,
  password: passwordSchema,
  password_confirmation: passwordSchema,
  referral_id: z.union([z.string().max(20), z.number().int().nonnegative()]).optional(),
  agree: z.boolean(),
  captcha: captchaSchema.optional(),
})
export const registerReplySchema = z.object({ status: z.literal(true), action: z.literal('verify-email') })
export const verifyEmailInputSchema = z.object({ email: emailSchema, code: codeSchema })
/** `password` is required if another browser registered the account (NEED_PASSWORD). */
export const verifyRegistrationInputSchema = verifyEmailInputSchema.extend({ password: passwordSchema.optional() })
export const resendInputSchema = z.object({ email: emailSchema })

/**
 * The reply lists the ways into the account that remain after a password reset. `telegram_chat` is the linked chat's
 * name.
 */
export const resetReplySchema = z.object({
  status: z.literal(true),
  linked_profiles: z.array(z.enum(PROVIDERS)),
  api_keys: z.int(),
  telegram_chat: z.string().nullable(),
})
export type WaysLeft = Pick<z.output<typeof resetReplySchema>, 'linked_profiles' | 'api_keys' | 'telegram_chat'>

export const forgotPasswordInputSchema = z.object({
  email: emailSchema,
  captcha: captchaSchema.optional(),
})
export const resetPasswordInputSchema = z.object({
  email: emailSchema,
  token: z.string().min(1).max(100),
  password: passwordSchema,
  password_confirmation: passwordSchema,
})
/** `current_password` is absent if the account was created by a social sign-in and has no password. */
export const changePasswordInputSchema = z.object({
  current_password: passwordSchema.optional(),
  password: passwordSchema,
  password_confirmation: passwordSchema,
})
export const changeEmailInputSchema = z.object({ email: newEmailSchema, password: passwordSchema.optional() })

/**
 * An account without a password sends `code` instead of `password`. A `passkey` may replace the password or the code.
 */
export const confirmPasswordInputSchema = z.object({
  password: passwordSchema.optional(),
  code: oneTimePasswordSchema.optional(),
  passkey: assertionSchema.optional(),
})

export const securitySchema = z.object({
  email: z.string(),
  pending_email: z.string().nullable(),
  has_password: z.boolean(),
  two_factor: z.boolean(),
  recovery_codes_left: z.number().int(),
})
export type Security = z.infer<typeof securitySchema>

export const twoFactorSetupSchema = z.object({
  status: z.literal(true),
  secret: z.string(),
  otpauth_url: z.string(),
  qr: z.string(),
})
export const twoFactorCodeInputSchema = z.object({ code: oneTimePasswordSchema })
export const recoveryCodesSchema = z.object({ status: z.literal(true), recovery_codes: z.array(z.string()) })

export const sessionEntrySchema = z.object({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  current: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string(),
})
export type SessionEntry = z.infer<typeof sessionEntrySchema>
export const sessionsReplySchema = z.object({ status: z.literal(true), sessions: z.array(sessionEntrySchema) })
export const endOthersReplySchema = z.object({ status: z.literal(true), ended: z.number().int() })

export const identitySchema = z.object({
  provider: z.enum(PROVIDERS),
  name: z.string().nullable(),
  linked_at: z.string().nullable(),
})
export const identitiesReplySchema = z.object({ status: z.literal(true), identities: z.array(identitySchema) })
export type Identity = z.infer<typeof identitySchema>

export const AUTH_PURPOSES = ['sign-in', 'link'] as const
export const authRedirectInputSchema = z.object({
  provider: z.enum(PROVIDERS),
  purpose: z.enum(AUTH_PURPOSES).default('sign-in'),
})
/** The query parameters that an identity provider adds to its redirect. A malformed value counts as empty. */
export const authCallbackInputSchema = z
  .object({ service: z.enum(PROVIDERS), state: z.string().max(200).optional() })
  .catchall(z.string().max(4_000).catch(''))

/** A malformed `utm-data` counts as absent, because a visitor is not to blame for a bad link. */
export const marketingActionInputSchema = z.object({ 'utm-data': z.string().max(2_000).optional().catch(undefined) })
export const marketingActionReplySchema = z.object({
  status: z.literal(true),
  action: z.enum(['show-login-modal', 'show-register-modal']).nullable(),
})
