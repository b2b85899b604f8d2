import { z } from 'zod'
import { PROVIDERS } from '#contract/account-constants.ts'
import { LOCALES } from '#contract/constants.ts'
import { sandboxMark } from '#contract/formats/play-money.ts'
import { CURRENCIES } from '#contract/money.ts'
import { userSettingsSchema } from './settings/user-settings.ts'

/** `support` answers tickets; `operator` may do everything. */
export const USER_ROLES = ['user', 'support', 'operator'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const userSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(USER_ROLES),
  /** Decimal string, without held money. */
  balance: z.string(),
  held: z.string(),
  /** What a reversed payment left owed; buying stops while it is above zero. */
  debt: z.string(),
  currency: z.enum(CURRENCIES),
  /** Only support is open to them. */
  blocked: z.literal(true).optional(),
  /** When the account is deleted, unless its owner keeps it. */
  deletion_at: z.iso.datetime().optional(),
  /** The terms or the privacy policy are others than those agreed to. */
  documents_changed: z.literal(true).optional(),
  notifications_count: z.number().int(),
  open_payments: z.number().int(),
  activations: z.object({ count: z.number().int(), rent_count: z.number().int() }),
  settings: userSettingsSchema,
  sandbox: sandboxMark,
})
export type User = z.infer<typeof userSchema>

export const siteSettingsSchema = z.object({
  alerts: z.array(z.object({ id: z.string(), type: z.enum(['info', 'error']), text: z.string() })),
  currency: z.enum(CURRENCIES),
  locales: z.array(z.enum(LOCALES)),
  captchaEnabled: z.string(),
  captchaKey: z.string(),
  telegramSubscribeReward: z.string(),
  notificationCategories: z.array(z.string()),
  /** The links of these pages are hidden. */
  closedPages: z.array(z.string()),
  /** An empty `publicUrl` means `port` of this host. */
  realtime: z.object({ key: z.string(), port: z.number().int(), tls: z.boolean(), publicUrl: z.string() }),
  authProviders: z.array(z.enum(PROVIDERS)),
  /** Empty: no reports. A public value: it allows sending alone. */
  sentryDsn: z.string(),
  demo: z.boolean(),
})
export type SiteSettings = z.infer<typeof siteSettingsSchema>
