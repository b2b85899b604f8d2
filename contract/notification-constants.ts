/** What a reader filters by, and chooses channels for. */
export const NOTIFICATION_CATEGORIES = ['payments', 'numbers', 'support', 'prices', 'security', 'news'] as const
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number]

/** Telegram will be one more. */
export const NOTIFICATION_CHANNELS = ['site', 'mail', 'push'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]
