import { chainInvariants } from './chain-invariants.ts'
import { BLOCK_OF, balancesThrough, COUNTED, deltaOf } from './checked-rows.ts'
import { digestOf } from './checkpoints.ts'
import { guards, sequences } from './guards.ts'
import { activationHolds, chargeHolds } from './hold-invariants.ts'
import type { Invariant } from './invariant.ts'
import { deltaByKind, KIND_ROWS, kindsOf, SUBJECT, type UserAccount } from './movement-kinds.ts'
import { paymentInvariants } from './payment-invariants.ts'
import { preorderInvariants } from './preorder-invariants.ts'
import { bonusInvariants } from './programmes/bonus-invariants.ts'
import { channelInvariants } from './programmes/channel-invariants.ts'
import { loyaltyInvariants } from './programmes/loyalty-invariants.ts'
import { promotionInvariants } from './programmes/promotion-invariants.ts'
import { referralInvariants } from './programmes/referral-invariants.ts'
import { rentalInvariants } from './rental-invariants.ts'
import { sandboxInvariants } from './sandbox/sandbox-invariants.ts'

const ACCOUNTS = 'SELECT count(*) FROM accounts'
const TRANSFERS = 'SELECT count(*) FROM checked_transfers'
const ACTIVATIONS = 'SELECT count(*) FROM checked_activations'

const SUMS = `SELECT user_id, sum(${deltaOf('available')}) AS available, sum(${deltaOf('held')}) AS held,
    -sum(${deltaOf('debt')}) AS debt, sum(${deltaOf('referral')}) AS referral FROM transfers GROUP BY user_id`

/** SQL that shows a referral balance unless it is zero, because few users have one. */
const ifAny = (micros: string) => `', referral ' || NULLIF(${micros}, 0)`

const IN_CURRENCY = '(SELECT in_currency = transfers FROM transfer_tally)'
const KINDS_KNOWN = '(SELECT known = transfers FROM transfer_tally)'
const ACCOUNTS_EQUAL = `${KINDS_KNOWN} AND NOT EXISTS (
      SELECT FROM accounts a FULL JOIN (
        SELECT user_id, sum(available) AS available, sum(held) AS held, -sum(debt) AS debt, sum(referral) AS referral
        FROM block_tally GROUP BY user_id
      ) s USING (user_id)
      WHERE (a.available_micros, a.held_micros, a.debt_micros, a.referral_micros)
        IS DISTINCT FROM (COALESCE(s.available, 0), COALESCE(s.held, 0), COALESCE(s.debt, 0), COALESCE(s.referral, 0)))`

const accountsEqualTransfers: Invariant = {
  name: 'every account is the sum of its transfers',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: the account says available %s, held %s, debt %s%s; its transfers say available %s, held %s, debt %s%s',
      COALESCE(a.user_id, s.user_id), a.available_micros, a.held_micros, a.debt_micros,
      ${ifAny('a.referral_micros')}, COALESCE(s.available, 0), COALESCE(s.held, 0), COALESCE(s.debt, 0), ${ifAny('s.referral')}) AS problem
    FROM accounts a FULL JOIN (${SUMS}) s USING (user_id)
    WHERE (a.available_micros, a.held_micros, a.debt_micros, a.referral_micros)
      IS DISTINCT FROM (COALESCE(s.available, 0), COALESCE(s.held, 0), COALESCE(s.debt, 0), COALESCE(s.referral, 0))`,
  proof: `SELECT ${ACCOUNTS_EQUAL} AS holds`,
  since: ({ throughTransfer, digest }) =>
    `SELECT 'the balances, less what has moved since, are not those that were proved through transfer ${throughTransfer}' AS problem
    FROM (${digestOf(balancesThrough(throughTransfer))}) now WHERE now.digest <> '\\x${digest.toString('hex')}'`,
}

const sumIsZero: Invariant = {
  name: 'all accounts of a currency, those of the house included, add up to zero',
  counted: 'SELECT count(DISTINCT currency) FROM accounts',
  problems: `SELECT format('%s: all accounts add up to %s', currency, sum(micros)) AS problem
    FROM (
      SELECT currency, available_micros + held_micros - debt_micros + referral_micros AS micros FROM accounts
      UNION ALL
      SELECT currency, CASE WHEN to_account IN ('available', 'held', 'debt', 'referral') THEN 0 ELSE amount_micros END
        - CASE WHEN from_account IN ('available', 'held', 'debt', 'referral') THEN 0 ELSE amount_micros END
      FROM transfers
    ) balances GROUP BY currency HAVING sum(micros) <> 0`,
  // Each transfer takes from one account what it gives to another. Only wrong accounts or currencies break the sum.
  proof: `SELECT ${ACCOUNTS_EQUAL} AND ${IN_CURRENCY} AS holds`,
  since: null,
}

const notNegative: Invariant = {
  name: 'no account is negative',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: available %s, held %s%s', user_id, available_micros, held_micros, ${ifAny('referral_micros')}) AS problem
    FROM accounts WHERE available_micros < 0 OR held_micros < 0 OR referral_micros < 0`,
}

/**
 * A debit locks its account before its transfer gets an id, so balances in the order of ids never drop below zero. The
 * held balance cannot either, if each hold precedes its single settlement (hold-invariants.ts).
 */
const neverNegative: Invariant = {
  name: 'no account was negative after any of its transfers',
  counted: TRANSFERS,
  problems: statementsBelowZero(
    'checked_transfers',
    'SELECT user_id, 0 AS available, 0 AS held, 0 AS referral FROM accounts',
  ),
  proof: `WITH statement AS (
      SELECT d.before + sum_micros(${deltaOf('available')}) OVER lines AS available
      FROM transfers t JOIN doubtful_blocks d ON d.user_id = t.user_id AND d.block = t.${BLOCK_OF}
      WINDOW lines AS (PARTITION BY t.user_id, d.block ORDER BY t.id ROWS UNBOUNDED PRECEDING)
    ), earned AS (
      SELECT sum_micros(${deltaByKind('referral')}) OVER (PARTITION BY user_id ORDER BY id ROWS UNBOUNDED PRECEDING) AS referral
      FROM transfers WHERE kind IN (${kindsOf('referral')})
    ) SELECT ${KINDS_KNOWN} AND NOT EXISTS (SELECT FROM statement WHERE available < 0)
      AND NOT EXISTS (SELECT FROM earned WHERE referral < 0) AS holds`,
  since: ({ throughTransfer }) => statementsBelowZero('checked_transfers', balancesThrough(throughTransfer)),
}

function statementsBelowZero(transfers: string, opening: string): string {
  const running = (account: Exclude<UserAccount, 'debt'>) =>
    `o.${account} + sum(${deltaOf(account)}) OVER lines AS ${account}`
  return `SELECT format('user %s: after transfer %s available is %s, held is %s%s', user_id, id, available, held, ${ifAny('referral')}) AS problem
    FROM (
      SELECT user_id, id, ${running('available')}, ${running('held')}, ${running('referral')}
      FROM ${transfers} JOIN (${opening}) o USING (user_id)
      WINDOW lines AS (PARTITION BY user_id ORDER BY id ROWS UNBOUNDED PRECEDING)
    ) statement WHERE available < 0 OR held < 0 OR referral < 0`
}

const heldEqualsOpen: Invariant = {
  name: 'what a user has held is the price of his activations and charges whose money is held',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: held is %s, what he has open costs %s', user_id, COALESCE(a.held_micros, 0), COALESCE(o.micros, 0)) AS problem
    FROM accounts a FULL JOIN (
      SELECT user_id, sum(price_micros) AS micros FROM (
        SELECT user_id, price_micros FROM checked_activations WHERE money = 'held'
        UNION ALL SELECT user_id, price_micros FROM checked_charges WHERE money = 'held'
      ) held GROUP BY user_id
    ) o USING (user_id)
    WHERE COALESCE(a.held_micros, 0) <> COALESCE(o.micros, 0)`,
}

const knownKinds: Invariant = {
  name: 'every transfer is of a known kind, between the accounts of that kind, above zero, for one thing or by hand',
  counted: TRANSFERS,
  problems: `SELECT format('transfer %s: %s of %s from %s to %s, activation %s, charge %s, payment %s', id, kind, amount_micros, from_account,
      to_account, COALESCE(activation_id::text, 'none'), COALESCE(charge_id::text, 'none'), COALESCE(payment_id::text, 'none')) AS problem
    FROM checked_transfers WHERE amount_micros <= 0
      OR (kind, from_account, to_account, ${SUBJECT}) NOT IN (${KIND_ROWS})`,
  proof: `SELECT ${KINDS_KNOWN} AS holds`,
}

const oneCurrency: Invariant = {
  name: 'every transfer is in the currency of its account',
  counted: TRANSFERS,
  problems: `SELECT format('transfer %s of user %s is in %s, the account in %s', t.id, t.user_id, t.currency,
      COALESCE(a.currency, 'none')) AS problem
    FROM checked_transfers t LEFT JOIN accounts a USING (user_id) WHERE a.currency IS DISTINCT FROM t.currency`,
  proof: `SELECT ${IN_CURRENCY} AS holds`,
}

const STATES = `('reserving', 'held'), ('waiting', 'held'), ('received', 'captured'),
      ('waiting_again', 'captured'), ('finished', 'captured'), ('cancelled', 'released'), ('expired', 'released'),
      ('used', 'released'), ('failed', 'released')`

const moneyFitsState: Invariant = {
  name: 'where the money is fits the state of the activation',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s is %s, its money %s', id, state, money) AS problem FROM checked_activations
    WHERE (state, money) NOT IN (${STATES})`,
}

const paidForMessages: Invariant = {
  name: 'a message was given exactly where the money was captured',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s: its money is %s, %s messages are counted, %s are stored', a.id, a.money, a.sms_count,
      COALESCE(m.stored, 0)) AS problem
    FROM checked_activations a LEFT JOIN (
      SELECT activation_id, count(*) AS stored FROM checked_messages
      WHERE activation_id IS NOT NULL AND ${COUNTED} GROUP BY activation_id
    ) m ON m.activation_id = a.id
    WHERE (a.money = 'captured') <> (a.sms_count > 0) OR a.sms_count <> COALESCE(m.stored, 0)`,
  proof: `SELECT NOT EXISTS (SELECT FROM activations_tally WHERE unpaid > 0)
    AND (SELECT marks FROM message_tally) IS NOT DISTINCT FROM (SELECT sum(message_marks) FROM activations_tally) AS holds`,
}

const burntNumbers: Invariant = {
  name: 'a number that had a code is not for sale again for that service',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s is %s, but %s can be sold again for %s', a.id, a.state, a.phone, a.service_code) AS problem
    FROM checked_activations a LEFT JOIN burnt_numbers b USING (phone, service_code)
    WHERE a.money = 'captured' AND b.phone IS NULL`,
}

const usedProblems = (
  reports: string,
) => `SELECT format('activation %s is used, but nobody reported it', a.id) AS problem
    FROM checked_activations a LEFT JOIN used_reports r ON r.activation_id = a.id WHERE a.state = 'used' AND r.activation_id IS NULL
    UNION ALL
    SELECT format('activation %s of user %s is %s with %s for %s, but user %s reported %s as used for %s', a.id, a.user_id, a.state,
      a.phone, a.service_code, r.user_id, r.phone, r.service_code)
    FROM ${reports} r JOIN activations a ON a.id = r.activation_id
    WHERE (a.state, r.user_id, r.phone, r.service_code) IS DISTINCT FROM
      (CASE WHEN r.message_id IS NULL THEN 'used' ELSE 'finished' END, a.user_id, a.phone, a.service_code)
    UNION ALL
    SELECT format('activation %s: message %s was reported as no code of it, but nothing came back', r.activation_id, r.message_id)
    FROM ${reports} r WHERE r.message_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM transfers t WHERE t.activation_id = r.activation_id AND t.kind = 'refund')
    UNION ALL
    SELECT format('activation %s was reported as used for all, but %s can be sold again for %s', r.activation_id, r.phone, r.service_code)
    FROM ${reports} r LEFT JOIN burnt_numbers b USING (phone, service_code)
    WHERE r.bars_all AND r.lifted_at IS NULL AND b.phone IS NULL`

const usedNumbers: Invariant = {
  name: 'an activation ended as used by a report of its number, which is not for sale where the report bars it for all',
  counted: ACTIVATIONS,
  problems: usedProblems('used_reports'),
  since: () => usedProblems('(SELECT * FROM used_reports WHERE activation_id IN (SELECT id FROM checked_activations))'),
}

const sharedNumbers: Invariant = {
  name: 'a number is held by several only for services of different families that their messages name for certain',
  counted: `SELECT count(*) FROM activations WHERE state IN ('waiting', 'received', 'waiting_again')`,
  problems: `SELECT format('activations %s and %s have %s together, for %s and %s', a.id, b.id, a.phone, a.service_code, b.service_code) AS problem
    FROM activations a JOIN activations b ON b.phone = a.phone AND b.id > a.id
    WHERE a.state IN ('waiting', 'received', 'waiting_again') AND b.state IN ('waiting', 'received', 'waiting_again')
      AND (COALESCE(a.family, a.service_code) = COALESCE(b.family, b.service_code) OR NOT (a.senders_known AND b.senders_known))
    UNION ALL
    SELECT format('activation %s and rental %s have %s together', a.id, r.id, a.phone)
    FROM rentals r JOIN activations a ON a.phone = r.phone
    WHERE r.state = 'active' AND a.state IN ('waiting', 'received', 'waiting_again')`,
}

const repeats: Invariant = {
  name: 'a number is bought once more only by the one who paid for it, for the same service',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s of user %s has %s for %s, as a repeat of activation %s: %s of user %s for %s, %s', a.id,
      a.user_id, a.phone, a.service_code, a.repeat_of, e.phone, e.user_id, e.service_code, e.money) AS problem
    FROM checked_activations a JOIN activations e ON e.id = a.repeat_of
    WHERE (e.user_id, e.service_code, e.money) <> (a.user_id, a.service_code, 'captured') OR e.phone IS DISTINCT FROM COALESCE(a.phone, e.phone)`,
  proof: 'SELECT NOT EXISTS (SELECT FROM activations_tally WHERE repeats > 0) AS holds',
}

const FORFEITS = `kind IN ('forfeit', 'referral_forfeit')`

const gaveUp: Invariant = {
  name: 'only who has left gave money up, once, and no more than was said',
  counted: TRANSFERS,
  problems: `SELECT format('user %s gave up %s: the deletion of the account is %s, and says at most %s', t.user_id, t.micros,
      COALESCE(d.state, 'not there'), COALESCE(d.gives_up_micros, 0)) AS problem
    FROM (
      SELECT user_id, split_part(idempotency_key, ':', 2) AS deletion, sum(amount_micros) AS micros
      FROM checked_transfers WHERE ${FORFEITS} GROUP BY 1, 2
    ) t LEFT JOIN account_deletions d ON d.user_id = t.user_id AND d.id::text = t.deletion
    WHERE d.state IS NULL OR d.state NOT IN ('erasing', 'erased') OR t.micros > d.gives_up_micros`,
}

/** All rules that the account books must obey. Only the last two rely on database constraints, which they check. */
export const INVARIANTS: readonly Invariant[] = [
  accountsEqualTransfers,
  sumIsZero,
  notNegative,
  neverNegative,
  heldEqualsOpen,
  knownKinds,
  oneCurrency,
  ...activationHolds,
  ...chargeHolds,
  moneyFitsState,
  paidForMessages,
  burntNumbers,
  usedNumbers,
  sharedNumbers,
  repeats,
  ...rentalInvariants,
  ...preorderInvariants,
  ...paymentInvariants,
  ...chainInvariants,
  ...referralInvariants,
  ...bonusInvariants,
  ...loyaltyInvariants,
  ...channelInvariants,
  ...promotionInvariants,
  gaveUp,
  ...sandboxInvariants,
  guards,
  sequences,
]
