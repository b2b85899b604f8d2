import { z } from 'zod'
import {
  authCallbackInputSchema,
  authRedirectInputSchema,
  changeEmailInputSchema,
  changePasswordInputSchema,
  confirmPasswordInputSchema,
  doneSchema,
  endOthersReplySchema,
  forgotPasswordInputSchema,
  identitiesReplySchema,
  loginInputSchema,
  marketingActionInputSchema,
  marketingActionReplySchema,
  PROVIDERS,
  recoveryCodesSchema,
  registerInputSchema,
  registerReplySchema,
  resendInputSchema,
  resetPasswordInputSchema,
  resetReplySchema,
  securitySchema,
  sessionsReplySchema,
  tokenReplySchema,
  twoFactorCodeInputSchema,
  twoFactorSetupSchema,
  verifyEmailInputSchema,
  verifyRegistrationInputSchema,
} from '#contract/account.ts'
import { dataFileInputSchema, dataFileSchema, deletionInputSchema, privacySchema } from '#contract/privacy.ts'
import { userSettingsInputSchema } from '#contract/settings/user-settings.ts'
import { userSchema } from '#contract/user.ts'
import { ANYBODY, type DeclaredCalls, nothing, READER, SESSION, STRANGER } from './call.ts'

export const account = {
  login: { key: 'POST /api/login', who: STRANGER, input: loginInputSchema, reply: tokenReplySchema },
  logout: { key: 'POST /api/logout', who: STRANGER, input: nothing, reply: doneSchema },
  refresh: { key: 'POST /api/refresh', who: STRANGER, input: nothing, reply: tokenReplySchema },
  register: { key: 'POST /api/register', who: STRANGER, input: registerInputSchema, reply: registerReplySchema },
  verifyRegistration: {
    key: 'POST /api/verify-email',
    who: STRANGER,
    input: verifyRegistrationInputSchema,
    reply: tokenReplySchema,
  },
  resendRegistration: {
    key: 'POST /api/resend-verify-email',
    who: STRANGER,
    input: resendInputSchema,
    reply: doneSchema,
  },
  forgotPassword: {
    key: 'POST /api/forgot-password',
    who: STRANGER,
    input: forgotPasswordInputSchema,
    reply: doneSchema,
  },
  resetPassword: {
    key: 'POST /api/reset-password',
    who: STRANGER,
    input: resetPasswordInputSchema,
    reply: resetReplySchema,
  },
  captcha: { key: 'GET /api/v1/captcha', who: STRANGER, input: nothing, reply: z.record(z.string(), z.unknown()) },
  user: { key: 'GET /api/user', who: { ...READER, admitsBlocked: true }, input: nothing, reply: userSchema },
  security: { key: 'GET /api/v1/user/security', who: SESSION, input: nothing, reply: securitySchema },
  /** After this call, the session may change sign-in methods for five minutes. */
  confirmPassword: {
    key: 'POST /api/v1/user/confirm-password',
    who: SESSION,
    input: confirmPasswordInputSchema,
    reply: doneSchema,
  },
  changePassword: {
    key: 'POST /api/v1/user/password',
    who: SESSION,
    input: changePasswordInputSchema,
    reply: resetReplySchema,
  },
  changeEmail: { key: 'POST /api/v1/user/email', who: SESSION, input: changeEmailInputSchema, reply: doneSchema },
  resendEmailCode: {
    key: 'POST /api/user/resend-verify-email',
    who: SESSION,
    input: resendInputSchema,
    reply: doneSchema,
  },
  verifyEmail: {
    key: 'POST /api/user/verify-link-email',
    who: SESSION,
    input: verifyEmailInputSchema,
    reply: doneSchema,
  },
  changeSettings: {
    key: 'PATCH /api/v1/user/settings',
    who: SESSION,
    input: userSettingsInputSchema,
    reply: doneSchema,
  },
  setUpTwoFactor: { key: 'POST /api/v1/user/two-factor', who: SESSION, input: nothing, reply: twoFactorSetupSchema },
  confirmTwoFactor: {
    key: 'POST /api/v1/user/two-factor/confirm',
    who: SESSION,
    input: twoFactorCodeInputSchema,
    reply: recoveryCodesSchema,
  },
  disableTwoFactor: {
    key: 'POST /api/v1/user/two-factor/disable',
    who: SESSION,
    input: twoFactorCodeInputSchema,
    reply: doneSchema,
  },
  renewRecoveryCodes: {
    key: 'POST /api/v1/user/two-factor/recovery-codes',
    who: SESSION,
    input: twoFactorCodeInputSchema,
    reply: recoveryCodesSchema,
  },
  sessions: { key: 'GET /api/v1/user/sessions', who: SESSION, input: nothing, reply: sessionsReplySchema },
  endSession: {
    key: 'DELETE /api/v1/user/sessions/{id}',
    who: SESSION,
    input: z.object({ id: z.string() }),
    reply: doneSchema,
  },
  endOtherSessions: { key: 'DELETE /api/v1/user/sessions', who: SESSION, input: nothing, reply: endOthersReplySchema },
  identities: { key: 'GET /api/v1/user/identities', who: SESSION, input: nothing, reply: identitiesReplySchema },
  unlinkIdentity: {
    key: 'DELETE /api/v1/user/identities/{provider}',
    who: SESSION,
    input: z.object({ provider: z.enum(PROVIDERS) }),
    reply: doneSchema,
  },
  authRedirect: {
    key: 'GET /api/auth/{provider}/redirect',
    who: { ...ANYBODY, scope: 'session' },
    input: authRedirectInputSchema,
    reply: z.object({ status: z.literal(true), url: z.string() }),
  },
  authCallback: {
    key: 'GET /api/auth/{service}/callback',
    who: STRANGER,
    input: authCallbackInputSchema,
    reply: tokenReplySchema,
  },
  linkCallback: {
    key: 'GET /api/auth/{service}/link-callback',
    who: SESSION,
    input: authCallbackInputSchema,
    reply: doneSchema,
  },
  connect: {
    key: 'GET /api/connect',
    who: STRANGER,
    input: nothing,
    reply: z.object({ status: z.literal(true), key: z.string() }),
  },
  marketingAction: {
    key: 'GET /api/marketing-action',
    who: ANYBODY,
    input: marketingActionInputSchema,
    reply: marketingActionReplySchema,
  },
} as const satisfies DeclaredCalls

export const privacy = {
  state: { key: 'GET /api/v1/privacy', who: SESSION, input: nothing, reply: privacySchema },
  export: { key: 'POST /api/v1/privacy/export', who: SESSION, input: nothing, reply: doneSchema },
  file: {
    key: 'GET /api/v1/privacy/exports/{id}/file',
    who: SESSION,
    input: dataFileInputSchema,
    reply: dataFileSchema,
    contentType: 'application/zip',
  },
  askDeletion: { key: 'POST /api/v1/privacy/deletion', who: SESSION, input: deletionInputSchema, reply: doneSchema },
  cancelDeletion: { key: 'DELETE /api/v1/privacy/deletion', who: SESSION, input: nothing, reply: doneSchema },
  /** Records that the person continued after the notice of changed documents. */
  consent: { key: 'POST /api/v1/privacy/consent', who: SESSION, input: nothing, reply: doneSchema },
} as const satisfies DeclaredCalls
