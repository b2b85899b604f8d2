const PURPOSES = {
  'POST /api/v1/keys': 'makeKey',
  'PATCH /api/v1/keys/{id}': 'widenKey',
  'POST /api/v1/keys/{id}/rotate': 'renewKey',
  'DELETE /api/v1/keys/{id}': 'revokeKey',
  'POST /api/v1/user/passkeys/begin': 'addPasskey',
  'POST /api/v1/user/passkeys': 'addPasskey',
  'DELETE /api/v1/user/passkeys/{id}': 'removePasskey',
  'POST /api/v1/user/two-factor': 'turnTwoFactorOn',
  'POST /api/v1/user/two-factor/disable': 'turnTwoFactorOff',
  'POST /api/v1/user/two-factor/recovery-codes': 'renewRecoveryCodes',
  'GET /api/auth/{provider}/redirect': 'linkProfile',
  'DELETE /api/v1/user/identities/{provider}': 'unlinkProfile',
  'POST /api/v1/user/email': 'changeEmail',
  'POST /api/user/resend-verify-email': 'changeEmail',
  'POST /api/v1/user/password': 'setPassword',
  'POST /api/v1/telegram/link': 'connectTelegram',
  'DELETE /api/v1/telegram': 'disconnectTelegram',
  'PATCH /api/v1/notifications/settings': 'quietSecurity',
  'POST /api/v1/privacy/export': 'askForData',
  'GET /api/v1/privacy/exports/{id}/file': 'fetchData',
  'POST /api/v1/privacy/deletion': 'deleteAccount',
  'POST /api/v1/referral/withdrawals': 'payOut',
  'POST /api/v1/staff/tickets/{id}/refund': 'giveMoneyBack',
} as const

export type IdentityPurpose = (typeof PURPOSES)[keyof typeof PURPOSES] | 'other'

const byCall = new Map<string, IdentityPurpose>(Object.entries(PURPOSES))

export function purposeOf(call: string): IdentityPurpose {
  return byCall.get(call) ?? 'other'
}
