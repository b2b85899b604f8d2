export const NOTIFICATION_CATEGORIES = ['payments', 'numbers', 'support', 'prices', 'security', 'news'] as const
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number]

/** The channel `telegram` is offered only if the site has a bot. */
export const NOTIFICATION_CHANNELS = ['site', 'mail', 'push', 'telegram'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]
