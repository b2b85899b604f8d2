import type { z } from 'zod'
import type * as account from '#contract/account.ts'
import type { UserSettingsInput } from '#contract/settings/user-settings.ts'

type In<Schema extends z.ZodType> = z.input<Schema>
type Out<Schema extends z.ZodType> = z.output<Schema>

export type AccountCalls = {
  'POST /api/login': { input: In<typeof account.loginInputSchema>; reply: account.TokenReply }
  'POST /api/logout': { input: object; reply: account.Done }
  'POST /api/refresh': { input: object; reply: account.TokenReply }

  'POST /api/register': {
    input: In<typeof account.registerInputSchema>
    reply: Out<typeof account.registerReplySchema>
  }
  'POST /api/verify-email': { input: In<typeof account.verifyRegistrationInputSchema>; reply: account.TokenReply }
  'POST /api/resend-verify-email': { input: { email: string }; reply: account.Done }
  'POST /api/user/resend-verify-email': { input: { email: string }; reply: account.Done }
  'POST /api/user/verify-link-email': { input: In<typeof account.verifyEmailInputSchema>; reply: account.Done }
  'POST /api/forgot-password': { input: In<typeof account.forgotPasswordInputSchema>; reply: account.Done }
  'POST /api/reset-password': {
    input: In<typeof account.resetPasswordInputSchema>
    reply: Out<typeof account.resetReplySchema>
  }
  'GET /api/v1/captcha': { input: object; reply: Record<string, unknown> }

  'GET /api/v1/user/security': { input: object; reply: account.Security }
  /** Lets this session change sign-in methods for five minutes. */
  'POST /api/v1/user/confirm-password': { input: In<typeof account.confirmPasswordInputSchema>; reply: account.Done }
  'POST /api/v1/user/password': {
    input: In<typeof account.changePasswordInputSchema>
    reply: Out<typeof account.resetReplySchema>
  }
  'POST /api/v1/user/email': { input: In<typeof account.changeEmailInputSchema>; reply: account.Done }
  'PATCH /api/v1/user/settings': { input: UserSettingsInput; reply: account.Done }
  'POST /api/v1/user/two-factor': { input: object; reply: Out<typeof account.twoFactorSetupSchema> }
  'POST /api/v1/user/two-factor/confirm': { input: { code: string }; reply: Out<typeof account.recoveryCodesSchema> }
  'POST /api/v1/user/two-factor/disable': { input: { code: string }; reply: account.Done }
  'POST /api/v1/user/two-factor/recovery-codes': {
    input: { code: string }
    reply: Out<typeof account.recoveryCodesSchema>
  }
  'GET /api/v1/user/sessions': { input: object; reply: Out<typeof account.sessionsReplySchema> }
  'DELETE /api/v1/user/sessions/{id}': { input: { id: string }; reply: account.Done }
  'DELETE /api/v1/user/sessions': { input: object; reply: Out<typeof account.endOthersReplySchema> }
  'GET /api/v1/user/identities': { input: object; reply: Out<typeof account.identitiesReplySchema> }
  'DELETE /api/v1/user/identities/{provider}': { input: { provider: account.Provider }; reply: account.Done }

  'GET /api/auth/{provider}/redirect': {
    input: In<typeof account.authRedirectInputSchema>
    reply: { status: true; url: string }
  }
  'GET /api/auth/{service}/callback': { input: In<typeof account.authCallbackInputSchema>; reply: account.TokenReply }
  'GET /api/auth/{service}/link-callback': { input: In<typeof account.authCallbackInputSchema>; reply: account.Done }
  'GET /api/connect': { input: object; reply: { status: true; key: string } }
  'GET /api/marketing-action': {
    input: { 'utm-data'?: string }
    reply: Out<typeof account.marketingActionReplySchema>
  }
}
