import { parseDecimal, toDecimal } from '#contract/money.ts'
import {
  DEFAULT_CHANNELS,
  NOTIFICATION_CATEGORIES,
  type NotificationCategory,
  type NotificationChannel,
  type NotificationSettings,
  OFFERED_CHANNELS,
} from '#contract/notifications/notification.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import { markLowPrices } from './prices/price-queries.ts'
import { lowestPrices } from './prices/watch-prices.ts'
import { type Choices, changeSettings, findSettings } from './queries/settings.ts'

const MOST_LIMIT_MICROS = 100_000_000_000_000n

export type WantedSettings = {
  choices?: Partial<Record<NotificationCategory, NotificationChannel[] | undefined>> | undefined
  balance_limit?: string | null | undefined
  price_limit?: string | null | undefined
}

type Change = {
  userId: number
  wanted: WantedSettings
  /** The stored channels for the category `security` when this change was checked; null if none were stored. */
  securityWas: NotificationChannel[] | null
  inTransaction: (tx: Db) => Promise<void>
}

/**
 * Changes the notification settings. Returns false if the channels for security have changed meanwhile. Throws
 * INVALID_INPUT.
 */
export async function changeNotificationSettings(ctx: Context, change: Change): Promise<boolean> {
  const { userId, wanted, securityWas } = change
  const changed = {
    userId,
    choices: offeredOf(ctx, wanted.choices ?? {}),
    securityWas,
    now: ctx.clock.now(),
    balanceLimitMicros: readLimit('balance_limit', wanted.balance_limit),
    priceLimitMicros: readLimit('price_limit', wanted.price_limit),
  }
  const prices = typeof changed.priceLimitMicros === 'bigint' ? lowestPrices(ctx) : []
  return transaction(ctx.db, async (tx) => {
    if (!(await changeSettings(tx, changed))) return false
    if (prices.length > 0) await markLowPrices(tx, { userId, prices })
    await change.inTransaction(tx)
    return true
  })
}

export async function findSecurityChannels(
  ctx: Context,
  userId: number,
): Promise<{ stored: NotificationChannel[] | null; channels: NotificationChannel[] }> {
  const stored = (await findSettings(ctx.db, userId))?.choices.security ?? null
  const offered = offeredIn(ctx, 'security')
  return { stored, channels: offered.filter((channel) => (stored ?? DEFAULT_CHANNELS.security).includes(channel)) }
}

export async function getNotificationSettings(ctx: Context, userId: number): Promise<NotificationSettings> {
  const row = await findSettings(ctx.db, userId)
  const chosen = (category: NotificationCategory) =>
    (row?.choices[category] ?? DEFAULT_CHANNELS[category]).filter((channel) =>
      offeredIn(ctx, category).includes(channel),
    )
  return {
    status: true,
    choices: ofEach(chosen),
    offered: ofEach((category) => offeredIn(ctx, category)),
    balance_limit: toLimit(row?.balance_limit_micros ?? null),
    price_limit: toLimit(row?.price_limit_micros ?? null),
  }
}

function offeredOf(ctx: Context, choices: NonNullable<WantedSettings['choices']>): Choices {
  const kept: Choices = {}
  for (const category of NOTIFICATION_CATEGORIES) {
    const wanted = choices[category]
    if (wanted !== undefined) kept[category] = offeredIn(ctx, category).filter((channel) => wanted.includes(channel))
  }
  return kept
}

function offeredIn(ctx: Context, category: NotificationCategory): NotificationChannel[] {
  return OFFERED_CHANNELS[category].filter((channel) => channel !== 'telegram' || telegramOf(ctx).bot !== null)
}

function readLimit(field: string, text: string | null | undefined): bigint | null | undefined {
  if (text === undefined || text === null) return text
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n && micros <= MOST_LIMIT_MICROS) return micros
  throw invalidInput({ [field]: [wordsOf('field.amount')] })
}

function toLimit(micros: bigint | null): string | null {
  return micros === null ? null : toDecimal(micros)
}

function ofEach(
  channelsOf: (category: NotificationCategory) => NotificationChannel[],
): Record<NotificationCategory, NotificationChannel[]> {
  return {
    payments: channelsOf('payments'),
    numbers: channelsOf('numbers'),
    support: channelsOf('support'),
    prices: channelsOf('prices'),
    security: channelsOf('security'),
    news: channelsOf('news'),
  }
}
