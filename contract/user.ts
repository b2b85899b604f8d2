import { z } from 'zod'
import { PROVIDERS } from '#contract/account-constants.ts'
import { sandboxMark } from '#contract/formats/play-money.ts'
import { CURRENCIES } from '#contract/money.ts'
import { INTERFACE_LOCALES } from '#contract/settings/languages.ts'
import { userSettingsSchema } from './settings/user-settings.ts'

/** The role `support` answers tickets, and `operator` may do everything. */
export const USER_ROLES = ['user', 'support', 'operator'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const userSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(USER_ROLES),
  /** The amount that can be spent, as a decimal string, without held money. */
  balance: z.string(),
  held: z.string(),
  /** The amount that the user owes after a reversed payment. Buying is refused as long as it is above zero. */
  debt: z.string(),
  currency: z.enum(CURRENCIES),
  created_at: z.iso.datetime(),
  /** True for a blocked account, which may use only support. */
  blocked: z.literal(true).optional(),
  deletion_at: z.iso.datetime().optional(),
  /** True for a guest of the demo, whose account ends at `deletion_at` unless the guest registers. */
  guest: z.literal(true).optional(),
  /** True if the terms or the privacy policy have changed since the person agreed to them. */
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
  locales: z.array(z.enum(INTERFACE_LOCALES)),
  captchaEnabled: z.string(),
  captchaKey: z.string(),
  telegramSubscribeReward: z.string(),
  notificationCategories: z.array(z.string()),
  /** The pages that this visitor may not open, so that links to the pages are hidden. */
  closedPages: z.array(z.string()),
  /** If `publicUrl` is empty, the socket is at `port` of the page's host. */
  realtime: z.object({ key: z.string(), port: z.number().int(), tls: z.boolean(), publicUrl: z.string() }),
  authProviders: z.array(z.enum(PROVIDERS)),
  /** An empty DSN turns error reports off. The DSN need not be secret, because it allows only sending. */
  sentryDsn: z.string(),
  demo: z.boolean(),
  /** The version of the release that runs, x.y.z. */
  version: z.string(),
})
export type SiteSettings = z.infer<typeof siteSettingsSchema>
