import { z } from 'zod'
import { MAX_PAGE_SIZE, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import {
  NOTIFICATION_CATEGORIES,
  NOTIFICATION_CHANNELS,
  type NotificationCategory,
  type NotificationChannel,
} from './notification-constants.ts'

export * from './notification-constants.ts'

export const CATEGORY_OF = {
  'payment-credited': 'payments',
  'payment-disputed': 'payments',
  'dispute-ended': 'payments',
  refunded: 'payments',
  'balance-low': 'payments',
  'rental-ending': 'numbers',
  'preorder-bought': 'numbers',
  'preorder-ended': 'numbers',
  'webhook-off': 'numbers',
  'ticket-answer': 'support',
  'favorite-price': 'prices',
  'new-device': 'security',
  'telegram-linked': 'security',
  'telegram-unlinked': 'security',
  'security-silenced': 'security',
  news: 'news',
} as const satisfies Record<string, NotificationCategory>

/** The channels of a member who has chosen none. `security` lists no mail, because security mails are always sent. */
export const DEFAULT_CHANNELS: Record<NotificationCategory, readonly NotificationChannel[]> = {
  payments: ['site', 'push', 'telegram'],
  numbers: ['site', 'mail', 'push', 'telegram'],
  support: ['site', 'mail', 'push', 'telegram'],
  prices: ['site', 'push', 'telegram'],
  security: ['site', 'push', 'telegram'],
  news: ['site'],
}
export const OFFERED_CHANNELS: Record<NotificationCategory, readonly NotificationChannel[]> = {
  payments: NOTIFICATION_CHANNELS,
  numbers: NOTIFICATION_CHANNELS,
  support: NOTIFICATION_CHANNELS,
  prices: NOTIFICATION_CHANNELS,
  security: ['site', 'push', 'telegram'],
  news: NOTIFICATION_CHANNELS,
}

/** The server stops counting unread notifications at this number, because the bell shows 99+ anyway. */
export const MOST_UNREAD_COUNTED = 100

export const notificationRecordSchema = z.object({
  id: z.number().int(),
  category: z.enum(NOTIFICATION_CATEGORIES),
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string().nullable(),
  created_at: z.iso.datetime(),
  read: z.boolean(),
})
export type NotificationRecord = z.infer<typeof notificationRecordSchema>

const idSchema = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Notifications come newest first. `before` is the id of the oldest notification that the page already has. */
export const notificationsFilterSchema = z.object({
  category: z.enum(NOTIFICATION_CATEGORIES).optional(),
  before: idSchema.optional(),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
})

export const notificationsReplySchema = z.object({
  status: z.literal(true),
  notifications: z.array(notificationRecordSchema),
  next: z.number().int().nullable(),
  notifications_count: z.number().int(),
})
export type NotificationsReply = z.infer<typeof notificationsReplySchema>

export const readNotificationSchema = z.object({ id: idSchema })
/** `up_to` is the newest notification that the reader has seen, so that notifications after it stay unread. */
export const readAllSchema = z.object({ category: z.enum(NOTIFICATION_CATEGORIES).optional(), up_to: idSchema })
/** The call marks all notifications with this link as read, because the reader has opened the linked page. */
export const readLinkSchema = z.object({ link: z.string().startsWith('/').max(300) })
export const unreadReplySchema = z.object({ status: z.literal(true), notifications_count: z.number().int() })
export type UnreadReply = z.infer<typeof unreadReplySchema>

const channelsSchema = z.array(z.enum(NOTIFICATION_CHANNELS)).max(NOTIFICATION_CHANNELS.length)
/** A limit of the balance or of a price, as a decimal string in the account's currency; null means no limit. */
const limitSchema = z.string().max(20).nullable()

export const notificationSettingsSchema = z.object({
  status: z.literal(true),
  /** `choices` are the chosen channels of every category, and `offered` are the channels that can be chosen. */
  choices: z.record(z.enum(NOTIFICATION_CATEGORIES), channelsSchema),
  offered: z.record(z.enum(NOTIFICATION_CATEGORIES), channelsSchema),
  balance_limit: limitSchema,
  price_limit: limitSchema,
})
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

/**
 * A field that the request omits stays unchanged, and null removes a limit. Channels that are not offered are dropped.
 */
export const notificationSettingsInputSchema = z.object({
  choices: z.partialRecord(z.enum(NOTIFICATION_CATEGORIES), channelsSchema).optional(),
  balance_limit: limitSchema.optional(),
  price_limit: limitSchema.optional(),
})

/** The maximum number of browsers that get push messages for one person. The newest subscriptions stay. */
export const MOST_PUSH_BROWSERS = 10

/** The fields are those of PushSubscription.toJSON(): a P-256 point and 16 bytes, both in base64url. */
export const pushInputSchema = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1_000),
  keys: z.object({ p256dh: z.string().regex(/^[\w-]{87}$/), auth: z.string().regex(/^[\w-]{22}$/) }),
})

export const pushReplySchema = z.object({
  status: z.literal(true),
  /** The `applicationServerKey` with which a browser subscribes to push messages. */
  public_key: z.string(),
  subscriptions: z.array(
    z.object({
      id: z.number().int(),
      current: z.boolean(),
      created_at: z.iso.datetime(),
      /** Since this time the push service refuses messages to the browser, so the browser has to subscribe again. */
      gone_at: z.iso.datetime().nullable(),
    }),
  ),
})
export type PushReply = z.infer<typeof pushReplySchema>

/** The push message that the service worker (web/public/sw.js) shows. `url` is a path of the site. */
export type PushContent = { title: string; body: string; url: string; tag: string }
