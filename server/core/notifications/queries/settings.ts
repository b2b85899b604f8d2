import type { NotificationCategory, NotificationChannel } from '#contract/notifications/notification.ts'
import type { Db } from '#server/house/db/pool.ts'
import { NOTIFY_RUNS, notifySql } from './raise-sql.ts'

export type Choices = Partial<Record<NotificationCategory, NotificationChannel[]>>

export type SettingsRow = { choices: Choices; balance_limit_micros: bigint | null; price_limit_micros: bigint | null }

export async function findSettings(db: Db, userId: number): Promise<SettingsRow | null> {
  const { rows } = await db.query<SettingsRow>({
    name: 'notification-settings',
    text: 'SELECT choices, balance_limit_micros, price_limit_micros FROM notification_settings WHERE user_id = $1',
    values: [userId],
  })
  return rows[0] ?? null
}

/**
 * Stores notification settings. An undefined balance or price limit stays unchanged. Returns false if the channels for
 * security would change, but are no longer `securityWas`. A balance already below its new limit is not reported as a
 * fall.
 */
export async function changeSettings(
  db: Db,
  input: {
    userId: number
    choices: Choices
    securityWas: NotificationChannel[] | null
    balanceLimitMicros: bigint | null | undefined
    priceLimitMicros: bigint | null | undefined
    now: Date
  },
): Promise<boolean> {
  const { choices, securityWas, balanceLimitMicros, priceLimitMicros } = input
  const { rowCount } = await db.query({
    name: 'notification-settings-change',
    text: `INSERT INTO notification_settings AS s
        (user_id, choices, balance_limit_micros, balance_low_at, price_limit_micros, changed_at)
      SELECT user_id, $choices::jsonb, $balance::bigint, CASE WHEN available_micros < $balance THEN $now::timestamptz END, $price::bigint, $now
      FROM accounts WHERE user_id = $userId
      ON CONFLICT (user_id) DO UPDATE SET choices = s.choices || EXCLUDED.choices, changed_at = EXCLUDED.changed_at,
        balance_limit_micros = CASE WHEN $setsBalance THEN EXCLUDED.balance_limit_micros ELSE s.balance_limit_micros END,
        balance_low_at = CASE WHEN $setsBalance THEN EXCLUDED.balance_low_at ELSE s.balance_low_at END,
        price_limit_micros = CASE WHEN $setsPrice THEN EXCLUDED.price_limit_micros ELSE s.price_limit_micros END
      WHERE NOT $setsSecurity::boolean OR s.choices -> 'security' IS NOT DISTINCT FROM $securityWas::jsonb`,
    values: {
      userId: input.userId,
      now: input.now,
      choices: JSON.stringify(choices),
      balance: balanceLimitMicros ?? null,
      setsBalance: balanceLimitMicros !== undefined,
      price: priceLimitMicros ?? null,
      setsPrice: priceLimitMicros !== undefined,
      securityWas: securityWas === null ? null : JSON.stringify(securityWas),
      setsSecurity: choices.security !== undefined,
    },
  })
  return rowCount === 1
}

/** The deduplication key changes hourly, because buying and cancelling can cross the limit every minute. */
const keyOfHour = (moment: string) => `'balance-low:' || floor(extract(epoch FROM ${moment}) / 3600)`

/** Notifies users whose balance fell below their limit, once for each fall and once an hour at most. */
export async function tellLowBalances(db: Db, input: { now: Date; limit: number }): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'notification-low-balances',
    text: `WITH due AS (
      SELECT s.user_id, a.currency FROM notification_settings s JOIN accounts a ON a.user_id = s.user_id
      WHERE s.balance_limit_micros IS NOT NULL AND s.balance_low_at IS NULL AND a.available_micros < s.balance_limit_micros
        AND NOT EXISTS (SELECT FROM notifications n WHERE n.user_id = s.user_id AND n.created_at > $now::timestamptz - interval '1 hour'
          AND n.dedupe_key IN (${keyOfHour('$now::timestamptz')}, ${keyOfHour("($now::timestamptz - interval '1 hour')")}))
      ORDER BY s.user_id LIMIT $limit FOR UPDATE OF s SKIP LOCKED
    ), low AS (
      UPDATE notification_settings s SET balance_low_at = $now FROM due WHERE s.user_id = due.user_id
      RETURNING s.user_id, s.balance_limit_micros, due.currency
    ), fallen AS (
      SELECT user_id, 'balance-low' AS kind, '/top-up' AS link, ${keyOfHour('$now::timestamptz')} AS dedupe_key,
        jsonb_build_object('limitMicros', balance_limit_micros::text, 'currency', currency) AS details
      FROM low
    ), ${notifySql('fallen')}
    SELECT count(*) FROM low WHERE ${NOTIFY_RUNS}`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0)
}

export async function forgetLowBalances(db: Db): Promise<void> {
  await db.query({
    name: 'notification-risen-balances',
    text: `UPDATE notification_settings s SET balance_low_at = NULL FROM accounts a
      WHERE a.user_id = s.user_id AND s.balance_low_at IS NOT NULL AND a.available_micros >= s.balance_limit_micros`,
  })
}
