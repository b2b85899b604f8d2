import { DAY, MINUTE } from '#contract/time.ts'
import { insertPayment } from '#server/core/payments/queries/payments.ts'
import { settlePayment } from '#server/core/payments/settle-payment.ts'
import { insertPeriod, insertRanks } from '#server/core/programmes/loyalty/queries.ts'
import { settleReward } from '#server/core/programmes/loyalty/settle-reward.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import { storeRule } from '#server/programs/cli/queries/prices.ts'
import { putChat } from '#server/surfaces/telegram/chats/queries.ts'
import { insertReward } from '#server/surfaces/telegram/reward/queries.ts'
import { addActivation, BOOKS_START } from './books.ts'

/** Inserts a loyalty week around a user's payments, and pays the week's reward. */
export async function fillLoyalty(pool: Pool, userId: number): Promise<void> {
  const bounds = { begins_at: new Date(BOOKS_START.getTime() - DAY), ends_at: new Date(BOOKS_START.getTime() + DAY) }
  const id = await insertPeriod(pool, { ...bounds, period: 'week', timeZone: 'UTC' })
  if (id === null) throw new Error('the books have that week already')
  const ranks = [
    { topUpMicros: 100_000_000n, points: 400 },
    { topUpMicros: 1_000_000_000n, points: 850 },
  ]
  await insertRanks(pool, { periodId: id, currency: 'rub', ranks })
  const period = { ...bounds, id, kind: 'week', time_zone: 'UTC' } as const
  await transaction(pool, (tx) => settleReward(tx, { userId, period, now: bounds.ends_at }))
}

/** Inserts a promotion that sold two numbers below cost. The first sale is finished, the second waits for a code. */
export async function fillPromotion(pool: Pool, { supplierId, userId }: { supplierId: number; userId: number }) {
  const scope = { serviceCode: 'tg', countryId: 2 }
  const belowCost = { saleLimitMicros: 3_000_000n, limitMicros: 50_000_000n }
  const period = { startsAt: BOOKS_START, endsAt: new Date(BOOKS_START.getTime() + DAY) }
  const rule = { priceMicros: 7_000_000n, currency: 'rub', belowCost } as const
  await storeRule(pool, { scope, rule, period, now: BOOKS_START })
  const promotion = { id: 1, priceMicros: rule.priceMicros }
  for (const [ending, phone] of [['finished', '77091111111'] as const, ['waiting', '77092222222'] as const]) {
    const id = await addActivation(pool, { supplierId, userId, currency: 'rub', phone, ending, promotion })
    if (id === null) throw new Error('the books ran out of money')
  }
}

export async function fillChannelReward(pool: Pool, userId: number): Promise<void> {
  const at = BOOKS_START
  const person = { userId, telegramId: 1001, name: 'Anna', wantsCodes: false, now: at }
  await putChat(pool, person)
  await transaction(pool, async (tx) => {
    const { currency } = await lockAccount(tx, userId)
    const id = await insertReward(tx, {
      userId,
      telegramId: 1001n,
      currency,
      amountMicros: 25_000_000n,
      linkedBy: at,
      now: at,
    })
    if (id === null) throw new Error('the books have that reward already')
    const move = {
      kind: 'channel_reward',
      micros: 25_000_000n,
      channelRewardId: id,
      idempotencyKey: 'channel',
    } as const
    await moveMoney(tx, { userId, at, moves: [move] })
  })
}

/** Inserts a payment with two bonuses: 50.00 by a rule, and 10 % for its payment system. */
export async function fillBonus(pool: Pool, userId: number): Promise<void> {
  const now = BOOKS_START
  const bonusRuleId = await insertBonusRule(pool, {
    name: 'books',
    kind: 'above',
    currency: 'rub',
    leastMicros: 500_000_000n,
    points: null,
    amountMicros: 50_000_000n,
    mostMicros: null,
    beginsAt: now,
    endsAt: null,
    now,
  })
  const { rows } = await pool.query<{ id: number }>({ text: 'SELECT min(id) AS id FROM gateways' })
  const payment = await insertPayment(pool, {
    transactionId: 'payment-bonus',
    userId,
    gatewayId: rows[0]?.id ?? 0,
    system: 'books',
    currency: 'rub',
    amountMicros: 500_000_000n,
    feePoints: 0,
    bonusPoints: 1000,
    bonusRuleId,
    ruleBonusMicros: 50_000_000n,
    idempotencyKey: null,
    inputHash: null,
    network: null,
    openLimit: 100,
    now,
    nextCheckAt: null,
    expiresAt: new Date(now.getTime() + MINUTE),
  })
  if (payment === null) throw new Error('a payment of the books was not inserted')
  const deposits = [{ providerId: 'deposit-bonus', amountMicros: 500_000_000n }]
  const facts = { progress: 'pending', deposits, reversals: [] } as const
  await transaction(pool, (tx) => settlePayment(tx, { id: payment.id, facts, now }))
}
