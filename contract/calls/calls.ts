/** Server and client share these keys, so a call cannot drift from its client. */

import type { KeyCalls } from '#contract/api-key.ts'
import type { ContentCalls } from '#contract/content.ts'
import type { PrivacyCalls } from '#contract/privacy.ts'
import type { LoyaltyCalls } from '#contract/programmes/loyalty.ts'
import type { ReferralCalls } from '#contract/programmes/referral.ts'
import type { SiteSettings, User } from '#contract/user.ts'
import type { WebhookCalls } from '#contract/webhooks/webhook.ts'
import type { AccountCalls } from './account-calls.ts'
import type { BuyingCalls } from './buying-calls.ts'
import type { NotificationCalls } from './notification-calls.ts'
import type { PasskeyCalls } from './passkey-calls.ts'
import type { PaymentCalls } from './payment-calls.ts'
import type { ReferenceCalls } from './reference-calls.ts'
import type { SandboxCalls } from './sandbox-calls.ts'
import type { StaffCalls } from './staff-calls.ts'
import type { SupportCalls } from './support-calls.ts'
import type { TelegramCalls } from './telegram-calls.ts'

export type Calls = AccountCalls &
  KeyCalls &
  SandboxCalls &
  WebhookCalls &
  BuyingCalls &
  PasskeyCalls &
  PaymentCalls &
  NotificationCalls &
  TelegramCalls &
  ReferralCalls &
  LoyaltyCalls &
  SupportCalls &
  StaffCalls &
  PrivacyCalls &
  ReferenceCalls &
  ContentCalls & {
    'GET /api/content/settings': { input: object; reply: SiteSettings }
    'GET /api/user': { input: object; reply: User }
    'POST /broadcasting/auth': { input: { socket_id: string; channel_name: string }; reply: { auth: string } }
  }
export type CallKey = keyof Calls

/** The code is `NO_REPLY` when no reply came. */
export class CallError extends Error {
  override name = 'CallError'
  readonly httpStatus: number
  readonly code: string
  readonly errors: Record<string, string[]>
  readonly data: Record<string, unknown>
  constructor(input: {
    httpStatus: number
    code: string
    message: string
    errors?: Record<string, string[]>
    data?: Record<string, unknown>
  }) {
    super(input.message)
    this.httpStatus = input.httpStatus
    this.code = input.code
    this.errors = input.errors ?? {}
    this.data = input.data ?? {}
  }
}

/** Pages load data through it alone: in process on the server, by fetch in the browser. */
export type Api = <Key extends CallKey>(
  key: Key,
  input: Calls[Key]['input'],
  options?: {
    signal?: AbortSignal
    idempotencyKey?: string
    /** Besides those every call has. */
    headers?: Record<string, string>
  },
) => Promise<Calls[Key]['reply']>

export type PageSession = {
  status: 'authenticated' | 'unauthenticated'
  /** null when signed out, or when only the refresh token is valid: then call POST /api/refresh first. */
  token: string | null
  user: User | null
}
