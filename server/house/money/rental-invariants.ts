import { COUNTED } from './checked-rows.ts'
import type { Invariant } from './invariant.ts'

const RENTALS = 'SELECT count(*) FROM checked_rentals'

const moneyFitsState: Invariant = {
  name: 'a rental has one first charge, and where its money is fits the state of the rental',
  counted: RENTALS,
  problems: `SELECT format('rental %s is %s, captured at %s, with %s messages; of its first charge there are %s, the money %s', r.id,
      r.state, COALESCE(r.captured_at::text, 'no time'), r.sms_count, COALESCE(c.charges, 0), COALESCE(c.money, 'nowhere')) AS problem
    FROM checked_rentals r LEFT JOIN (
      SELECT rental_id, count(*) AS charges, min(money) AS money FROM checked_charges WHERE purpose = 'rental' GROUP BY rental_id
    ) c ON c.rental_id = r.id
    WHERE c.charges IS DISTINCT FROM 1 OR (c.money = 'captured') <> (r.captured_at IS NOT NULL) OR NOT CASE r.state
      WHEN 'reserving' THEN c.money = 'held'
      WHEN 'active' THEN c.money = 'captured' OR (c.money = 'held' AND r.sms_count = 0)
      WHEN 'finished' THEN c.money = 'captured'
      WHEN 'expired' THEN c.money = 'captured'
      WHEN 'cancelled' THEN c.money = 'released'
      WHEN 'revoked' THEN c.money = 'released'
      WHEN 'failed' THEN c.money = 'released'
      ELSE false END`,
}

const paidHours: Invariant = {
  name: 'a rental lasts as long as was paid for, and an extension is held exactly while it is under way',
  counted: RENTALS,
  problems: `SELECT format('rental %s is for %s hours, its charges for %s; extension %s is under way, %s is held', r.id, r.hours,
      COALESCE(c.hours, 0), COALESCE(r.extension_id::text, 'none'), COALESCE(c.held::text, 'none')) AS problem
    FROM checked_rentals r LEFT JOIN (
      SELECT rental_id, sum(hours) FILTER (WHERE purpose = 'rental' OR money = 'captured') AS hours,
        max(id) FILTER (WHERE purpose = 'extension' AND money = 'held') AS held
      FROM checked_charges WHERE rental_id IS NOT NULL GROUP BY rental_id
    ) c ON c.rental_id = r.id
    WHERE r.hours IS DISTINCT FROM c.hours OR r.extension_id IS DISTINCT FROM c.held`,
}

const chargesBelong: Invariant = {
  name: 'a charge is of the buyer of what it pays for, in the currency of his account',
  counted: 'SELECT count(*) FROM checked_charges',
  problems: `SELECT format('charge %s of user %s in %s is for something of user %s, whose account is in %s', c.id, c.user_id, c.currency,
      COALESCE(r.user_id, p.user_id), a.currency) AS problem
    FROM checked_charges c LEFT JOIN rentals r ON r.id = c.rental_id LEFT JOIN preorders p ON p.id = c.preorder_id
      LEFT JOIN accounts a ON a.user_id = COALESCE(r.user_id, p.user_id)
    WHERE (c.user_id, c.currency) IS DISTINCT FROM (COALESCE(r.user_id, p.user_id), a.currency)`,
}

const messagesCounted: Invariant = {
  name: 'a rental counts the messages that were given to it',
  counted: RENTALS,
  problems: `SELECT format('rental %s: %s messages are counted, %s are stored', r.id, r.sms_count, COALESCE(m.stored, 0)) AS problem
    FROM checked_rentals r LEFT JOIN (
      SELECT rental_id, count(*) AS stored FROM checked_messages
      WHERE rental_id IS NOT NULL AND ${COUNTED} GROUP BY rental_id
    ) m ON m.rental_id = r.id
    WHERE r.sms_count <> COALESCE(m.stored, 0)`,
}

const burntNumbers: Invariant = {
  name: 'a rented number that had a message is not for sale again for what it was rented for',
  counted: RENTALS,
  problems: `SELECT format('rental %s had %s messages, but %s can be sold again for %s', r.id, r.sms_count, r.phone, r.service_code) AS problem
    FROM checked_rentals r LEFT JOIN burnt_numbers b USING (phone, service_code) WHERE r.sms_count > 0 AND b.phone IS NULL`,
}

export const rentalInvariants: readonly Invariant[] = [
  moneyFitsState,
  paidHours,
  chargesBelong,
  messagesCounted,
  burntNumbers,
]
