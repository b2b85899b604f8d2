import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

/** The initial balance of a sandbox account, which a reset restores. */
export const PLAY_MONEY_MICROS: Record<Currency, bigint> = {
  rub: 10_000n * MICROS_PER_UNIT,
  usd: 100n * MICROS_PER_UNIT,
}

/** The maximum daily spending of a sandbox account, in initial balances. Play money is free, but its rows stay. */
const DAY_SPEND_TIMES = 5n

/** The maximum number of active numbers of a sandbox account: one bulk purchase. Each may call ten webhooks. */
export const PLAY_NUMBERS_OPEN = 50

export async function openSandboxAccount(
  tx: Db,
  input: { userId: number; like: number; openNumbers: number },
): Promise<void> {
  await tx.query({
    name: 'account-open-sandbox',
    text: `INSERT INTO accounts (user_id, currency, sandbox, open_numbers_limit, day_spend_limit_micros)
      SELECT $userId, currency, true, $openNumbers::integer, $times * CASE currency WHEN 'rub' THEN $rub::bigint ELSE $usd::bigint END
      FROM accounts WHERE user_id = $like ON CONFLICT (user_id) DO NOTHING`,
    values: { ...input, ...PLAY_MONEY_MICROS, times: DAY_SPEND_TIMES },
  })
}

/**
 * Raises a lower balance of a sandbox account to the initial play money. Concurrent calls credit it only once. Returns
 * the balance, or null for a real account.
 */
export async function creditPlayMoney(db: Db, input: { userId: number; now: Date }): Promise<bigint | null> {
  const { rows } = await db.query<{ available_micros: bigint }>({
    name: 'account-credit-play-money',
    text: `WITH before AS (
      SELECT user_id, currency, available_micros, CASE currency WHEN 'rub' THEN $rub::bigint ELSE $usd::bigint END AS wanted_micros
      FROM accounts WHERE user_id = $userId AND sandbox FOR UPDATE
    ), changed AS (
      UPDATE accounts SET available_micros = before.wanted_micros FROM before
      WHERE accounts.user_id = before.user_id AND before.available_micros < before.wanted_micros
      RETURNING accounts.user_id
    ), moved AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
      SELECT 'sandbox_credit', user_id, 'sandbox', 'available', wanted_micros - available_micros, currency, $now
      FROM before JOIN changed USING (user_id)
    )
    SELECT GREATEST(available_micros, wanted_micros) AS available_micros FROM before`,
    values: { ...input, ...PLAY_MONEY_MICROS },
  })
  return rows[0]?.available_micros ?? null
}
