import { EXPORT_DAYS } from '#contract/account-constants.ts'
import { DAY } from '#contract/time.ts'
import { expiring, type Rule } from './rule.ts'

const SET_UP_KEEP_MS = DAY
/** An order at another service, which lists its messages, is remembered as long. */
const MESSAGE_ID_KEEP_MS = 180 * DAY
/** Matches of a sender with a service are stored for a month, because numbers/messages/learn-senders.ts uses them. */
const SENDER_MATCH_KEEP_MS = 30 * DAY
/** The maximum number of open registrations, more than any honest day brings. */
const MAX_REGISTRATIONS = 100_000

const WITH_THE_ACCOUNT = 'deleted with the account'
const BOUGHT = 'the books count it; the code goes with the words of its message'

const oldCode = (rows: string): NonNullable<Rule['steps']>[number] => ({
  rows: `code IS NOT NULL AND ${rows}`,
  keepMs: ({ messageKeepDays }) => messageKeepDays * DAY,
  blank: 'code = NULL',
})

/** The retention rules of tables about a person, apart from money. Texts of messages come first, as promised. */
export const PERSON_RULES: Readonly<Record<string, Rule>> = {
  messages: {
    why: 'the books need the row, which says what was paid for; its words and code go',
    person: 'blanked',
    steps: [
      {
        rows: 'body IS NOT NULL AND received_at < $before',
        keepMs: ({ messageKeepDays }) => messageKeepDays * DAY,
        blank: 'body = NULL, code = NULL',
      },
    ],
  },
  message_ids: {
    why: 'a message that its supplier repeats is charged once; some repeat all messages of a rental until it ends',
    steps: [
      {
        rows: `received_at < $before AND NOT EXISTS (SELECT FROM messages m JOIN rentals r ON r.id = m.rental_id
          WHERE m.id = message_ids.message_id AND (r.ended_at IS NULL OR r.ended_at >= $before))`,
        keepMs: () => MESSAGE_ID_KEEP_MS,
      },
    ],
  },
  activations: { why: BOUGHT, person: 'blanked', steps: [oldCode('ended_at < $before')] },
  rentals: { why: BOUGHT, person: 'blanked', steps: [oldCode('ended_at < $before')] },
  refresh_tokens: expiring('of a session', 'with-its-row'),
  sessions: {
    why: 'the device of an ended session is recognised for a while; one with a refresh token stays, whatever its age',
    person: 'gone',
    steps: [
      {
        rows: `last_used_at < $before AND (revoked_at IS NOT NULL
          OR NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = sessions.id))`,
        keepMs: ({ sessionKeepDays }) => sessionKeepDays * DAY,
      },
    ],
  },
  pending_logins: expiring('a second factor is asked for', 'gone'),
  two_factor: {
    why: WITH_THE_ACCOUNT,
    person: 'gone',
    steps: [{ rows: 'confirmed_at IS NULL AND created_at <= $before', keepMs: () => SET_UP_KEEP_MS }],
  },
  recovery_codes: { why: 'deleted with the second factor', person: 'with-its-row' },
  auth_requests: expiring('a journey to a social provider', 'gone'),
  email_codes: expiring('a new address that is not proved', 'gone'),
  password_resets: expiring('a link in a mail', 'gone'),
  registrations: {
    why: 'an address that is not proved',
    steps: [
      { rows: 'expires_at <= $before' },
      { rows: `id <= (SELECT id FROM registrations ORDER BY id DESC OFFSET ${MAX_REGISTRATIONS} LIMIT 1)` },
    ],
  },
  sender_matches: {
    why: 'senders are learnt from them',
    person: 'gone',
    steps: [{ rows: 'matched_at <= $before', keepMs: () => SENDER_MATCH_KEEP_MS }],
  },
  users: { why: 'the books need the number; all else is blanked with the account', person: 'blanked' },
  identities: { why: WITH_THE_ACCOUNT, person: 'gone' },
  api_keys: { why: WITH_THE_ACCOUNT, person: 'gone' },
  favorites: { why: WITH_THE_ACCOUNT, person: 'gone' },
  max_prices: { why: WITH_THE_ACCOUNT, person: 'gone' },
  purchase_pauses: { why: WITH_THE_ACCOUNT, person: 'gone' },
  user_hours: { why: `sums of purchases, ${WITH_THE_ACCOUNT}`, person: 'gone' },
  preorders: { why: 'the books count its charges', person: 'kept' },
  used_reports: { why: 'a number that was used before is not sold again, and the books check that', person: 'kept' },
  consents: { why: 'proves what was agreed to', person: 'kept' },
  account_deletions: { why: 'proves that somebody wanted to leave', person: 'kept' },
  data_export_chunks: { why: 'deleted with their export', person: 'with-its-row' },
  data_exports: {
    why: 'a file that was not fetched',
    person: 'gone',
    steps: [
      { rows: 'expires_at <= $before' },
      { rows: 'expires_at IS NULL AND asked_at <= $before', keepMs: () => EXPORT_DAYS * DAY },
    ],
  },
  events: {
    why: 'what became of each purchase and who it was sold to, for disputes and repairs; jobs/months.ts drops old months',
    person: 'kept',
  },
}
