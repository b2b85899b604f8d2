import { parseDecimal, toDecimal } from '#contract/money.ts'
import {
  DEFAULT_CHANNELS,
  NOTIFICATION_CATEGORIES,
  type NotificationCategory,
  type NotificationChannel,
  type NotificationSettings,
  OFFERED_CHANNELS,
} from '#contract/notifications/notification.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { wordsOf } from '#server/error-words.ts'
import { invalidInput } from '#server/errors.ts'
import { markLowPrices } from './prices/price-queries.ts'
import { lowestPrices } from './prices/watch-prices.ts'
import { type Choices, changeSettings, findSettings } from './queries/settings.ts'

/** A hundred million is more than anybody has. */
const MOST_LIMIT_MICROS = 100_000_000_000_000n

type Wanted = {
  choices?: Partial<Record<NotificationCategory, NotificationChannel[] | undefined>> | undefined
  balance_limit?: string | null | undefined
  price_limit?: string | null | undefined
}

/** Throws INVALID_INPUT for an amount that is none. */
export async function changeNotificationSettings(ctx: Context, userId: number, wanted: Wanted): Promise<void> {
  const changed = {
    ...{ userId, choices: offeredOf(ctx, wanted.choices ?? {}), now: ctx.clock.now() },
    balanceLimitMicros: readLimit('balance_limit', wanted.balance_limit),
    priceLimitMicros: readLimit('price_limit', wanted.price_limit),
  }
  const prices = typeof changed.priceLimitMicros === 'bigint' ? lowestPrices(ctx) : []
  await transaction(ctx.db, async (tx) => {
    await changeSettings(tx, changed)
    if (prices.length > 0) await markLowPrices(tx, { userId, prices })
  })
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

function offeredOf(ctx: Context, choices: NonNullable<Wanted['choices']>): Choices {
  const kept: Choices = {}
  for (const category of NOTIFICATION_CATEGORIES) {
    const wanted = choices[category]
    if (wanted !== undefined) kept[category] = offeredIn(ctx, category).filter((channel) => wanted.includes(channel))
  }
  return kept
}

function offeredIn({ telegram }: Pick<Context, 'telegram'>, category: NotificationCategory): NotificationChannel[] {
  return OFFERED_CHANNELS[category].filter((channel) => channel !== 'telegram' || telegram !== null)
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
