import {
  KEY_CALL_KEEP_DAYS,
  LOOSE_FILE_KEEP_DAYS,
  MOST_NOTIFICATIONS,
  NOTIFICATION_KEEP_DAYS,
} from '#contract/account-constants.ts'
import { DAY } from '#contract/time.ts'
import { WEBHOOK_DELIVERY_KEEP_DAYS } from '#contract/webhooks/webhook.ts'
import { expiring, type Rule } from './rule.ts'

/** Telegram repeats updates for a day. After a quiet week its update ids may start anew, so no old id may be left. */
const UPDATE_KEEP_MS = 3 * DAY
const SENT_CODE_KEEP_MS = 7 * DAY
/** Only this many of the oldest notifications are checked, because ids follow the order of time. */
const OLDEST_NOTIFICATIONS = 5_000

const OLDEST_DELIVERIES = 5_000
const MOST_DELIVERIES = 10_000

const WITH_THE_ACCOUNT = 'deleted with the account'
const WITH_THE_TICKET = 'deleted with their ticket'

export const ROOM_RULES: Readonly<Record<string, Rule>> = {
  support_tickets: { why: WITH_THE_ACCOUNT, person: 'gone' },
  support_messages: { why: WITH_THE_TICKET, person: 'with-its-row' },
  support_files: {
    why: `${WITH_THE_TICKET}; one that no message took goes sooner`,
    person: 'with-its-row',
    steps: [{ rows: 'message_id IS NULL AND created_at <= $before', keepMs: () => LOOSE_FILE_KEEP_DAYS * DAY }],
  },
  support_refunds: { why: 'the caps of staff count them, and the books have the money', person: 'kept' },
  support_answers: { why: 'texts of staff' },
  notifications: {
    why: 'what somebody was told, and the most that one person has of it',
    person: 'gone',
    steps: [
      {
        rows: `id IN (SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ${OLDEST_NOTIFICATIONS}) oldest
          WHERE created_at < $before)`,
        keepMs: () => NOTIFICATION_KEEP_DAYS * DAY,
      },
      {
        rows: `id IN (SELECT excess.id
          FROM (SELECT user_id FROM notifications GROUP BY user_id HAVING count(*) > ${MOST_NOTIFICATIONS}) much
          CROSS JOIN LATERAL (SELECT id FROM notifications n WHERE n.user_id = much.user_id
            ORDER BY id DESC OFFSET ${MOST_NOTIFICATIONS}) excess)`,
      },
    ],
  },
  notification_settings: { why: WITH_THE_ACCOUNT, person: 'gone' },
  favorite_prices_told: { why: 'until the price rises again', person: 'gone' },
  push_subscriptions: { why: 'deleted with their session', person: 'gone' },
  push_keys: { why: 'one row: another key would lose every browser' },
  news: { why: 'what everybody was told' },
  notices: { why: 'a setting of the service' },
  api_key_calls: {
    why: 'shows the owner of a key what a program does',
    person: 'with-its-row',
    steps: [{ rows: 'last_at < $before', keepMs: () => KEY_CALL_KEEP_DAYS * DAY }],
  },
  key_ceilings: { why: 'what a key pays at most, until it is set anew; deleted with the key', person: 'with-its-row' },
  webhook_endpoints: { why: WITH_THE_ACCOUNT, person: 'gone' },
  webhook_deliveries: {
    why: 'shows what was sent to a program of its owner; the words of messages stand with the messages alone',
    person: 'with-its-row',
    steps: [
      {
        rows: `id IN (SELECT id FROM (SELECT id, at FROM webhook_deliveries ORDER BY id LIMIT ${OLDEST_DELIVERIES}) oldest
          WHERE at < $before)`,
        keepMs: () => WEBHOOK_DELIVERY_KEEP_DAYS * DAY,
      },
      {
        rows: `id IN (SELECT excess.id
          FROM (SELECT endpoint_id FROM webhook_deliveries GROUP BY endpoint_id HAVING count(*) > ${MOST_DELIVERIES}) much
          CROSS JOIN LATERAL (SELECT id FROM webhook_deliveries d WHERE d.endpoint_id = much.endpoint_id
            ORDER BY id DESC OFFSET ${MOST_DELIVERIES}) excess)`,
      },
    ],
  },
  passkeys: { why: WITH_THE_ACCOUNT, person: 'gone' },
  passkey_challenges: expiring('what a device has to sign', 'gone'),
  telegram_chats: { why: 'deleted when it is unlinked, or with the account', person: 'gone' },
  telegram_links: expiring('a link to connect a chat', 'gone'),
  telegram_codes: {
    why: 'a code is sent once',
    person: 'gone',
    steps: [{ rows: 'queued_at < $before', keepMs: () => SENT_CODE_KEEP_MS }],
  },
  telegram_updates: {
    why: 'an update is processed once; its words go then',
    steps: [{ rows: 'received_at < $before', keepMs: () => UPDATE_KEEP_MS }],
  },
  channel_rewards: { why: 'the books, and one reward for each person of Telegram', person: 'kept' },
}
