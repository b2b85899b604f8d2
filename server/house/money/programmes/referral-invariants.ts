import type { Invariant } from '../invariant.ts'

const SHARES = 'SELECT count(*) FROM checked_shares'

/** SQL for the maximum worth of a referral share, rounded down; nothing until its exchange rate is known. */
const WORTH = `CASE WHEN s.base_currency = s.currency THEN trunc(base * s.percent / 100)
    WHEN s.rate_micros IS NULL THEN 0
    WHEN s.currency = 'rub' THEN trunc(base * s.percent * s.rate_micros / 100000000)
    ELSE div(base * s.percent * 1000000, 100 * s.rate_micros::numeric) END`

const sharesGiven: Invariant = {
  name: 'what was given for a share is what it is worth once it is available, and moved as often as it says',
  counted: SHARES,
  problems: `SELECT format('share %s of user %s (%s): worth at most %s, due %s, given %s, its transfers say %s', s.id, s.user_id, s.state, worth,
      s.due_micros, s.given_micros, moved.micros) AS problem
    FROM checked_shares s
      CROSS JOIN LATERAL (SELECT greatest(s.gross_micros - s.back_micros, 0)::numeric AS base) b
      CROSS JOIN LATERAL (SELECT ${WORTH} AS worth) w
      CROSS JOIN LATERAL (
        SELECT COALESCE(sum(CASE kind WHEN 'referral' THEN amount_micros WHEN 'referral_back' THEN -amount_micros ELSE 0 END), 0) AS micros,
          count(*) FILTER (WHERE t.user_id <> s.user_id) AS strangers,
          count(*) FILTER (WHERE kind IN ('referral', 'referral_back')) AS times
        FROM transfers t WHERE t.referral_share_id = s.id
      ) moved
    WHERE moved.micros <> s.given_micros OR moved.strangers > 0 OR moved.times <> s.moves
      OR s.state <> 'available' AND s.given_micros > 0 OR s.state = 'refused' AND s.due_micros > 0
      OR s.look_at IS NULL AND (s.due_micros > worth OR s.state = 'available' AND s.given_micros <> s.due_micros)`,
}

const sharesOfRealThings: Invariant = {
  name: 'a share is of what an invited person paid, for the one who invited them',
  counted: SHARES,
  problems: `SELECT format('share %s of user %s for user %s, whom user %s invited: counted %s %s, paid by user %s %s %s', s.id, s.user_id,
      s.invited_id, COALESCE(u.referrer_id::text, 'nobody'), s.gross_micros, s.base_currency, COALESCE(min(t.user_id)::text, 'none'),
      COALESCE(sum(t.amount_micros), 0), COALESCE(min(t.currency), 'nothing')) AS problem
    FROM checked_shares s JOIN users u ON u.id = s.invited_id LEFT JOIN LATERAL (
      SELECT user_id, amount_micros, currency FROM transfers WHERE kind = 'capture' AND activation_id = s.activation_id
      UNION ALL SELECT user_id, amount_micros, currency FROM transfers WHERE kind = 'capture' AND charge_id = s.charge_id
      UNION ALL SELECT user_id, amount_micros, currency FROM transfers WHERE kind = 'topup' AND payment_id = s.payment_id
    ) t ON true
    GROUP BY s.id, s.user_id, s.invited_id, s.gross_micros, s.base_currency, u.referrer_id
    HAVING u.referrer_id IS DISTINCT FROM s.user_id OR COALESCE(sum(t.amount_micros), 0) < s.gross_micros
      OR min(t.user_id) <> s.invited_id OR max(t.user_id) <> s.invited_id OR min(t.currency) <> s.base_currency`,
}

const invitationsSum: Invariant = {
  name: 'what an invited person has brought is the sum of the shares',
  counted: 'SELECT count(*) FROM referral_invitations',
  problems: `SELECT format('invited user %s: due %s, the shares say %s', i.invited_id, i.due_micros, COALESCE(sum(s.due_micros), 0)) AS problem
    FROM referral_invitations i LEFT JOIN referral_shares s ON s.invited_id = i.invited_id
    GROUP BY i.invited_id, i.due_micros, i.user_id
    HAVING i.due_micros <> COALESCE(sum(s.due_micros), 0) OR min(s.user_id) <> i.user_id OR max(s.user_id) <> i.user_id`,
  since: null,
}

const withdrawnOnce: Invariant = {
  name: 'a withdrawal of referral money left its account once, and came back where it was refused',
  counted: 'SELECT count(*) FROM checked_withdrawals',
  problems: `SELECT format('withdrawal %s of user %s (%s %s) of %s: its transfers say to the balance %s, paid out %s, back %s', w.id, w.user_id,
      w.target, w.state, w.amount_micros, balance, payout, back) AS problem
    FROM checked_withdrawals w CROSS JOIN LATERAL (
      SELECT COALESCE(sum(amount_micros) FILTER (WHERE kind = 'referral_withdrawal'), 0) AS balance,
        COALESCE(sum(amount_micros) FILTER (WHERE kind = 'referral_payout'), 0) AS payout,
        COALESCE(sum(amount_micros) FILTER (WHERE kind = 'referral_payout_back'), 0) AS back,
        count(*) FILTER (WHERE t.user_id <> w.user_id OR t.currency <> w.currency) AS strangers
      FROM transfers t WHERE t.referral_withdrawal_id = w.id
    ) moved
    WHERE (balance, payout, back, strangers) IS DISTINCT FROM (
      CASE w.target WHEN 'balance' THEN w.amount_micros ELSE 0 END::numeric, CASE w.target WHEN 'address' THEN w.amount_micros ELSE 0 END::numeric,
      CASE w.state WHEN 'refused' THEN w.amount_micros ELSE 0 END::numeric, 0::bigint)`,
}

export const referralInvariants: readonly Invariant[] = [sharesGiven, sharesOfRealThings, invitationsSum, withdrawnOnce]
