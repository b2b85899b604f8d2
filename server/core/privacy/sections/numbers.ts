import { withheldSql } from '#server/core/numbers/listing/queries/messages.ts'
import { COSTS, INNER, READING, REPEATS } from './reasons.ts'
import { ownRows, type Section } from './section.ts'

const BOUGHT = { cost_limit_micros: COSTS, cost_micros: COSTS, cost_currency: COSTS, cost_rate_micros: COSTS }
const OFFER = { supplier_id: COSTS, supplier_reference: COSTS, attempt: INNER, family: INNER, senders_known: INNER }

/** The tables of purchases and of received messages. */
export const NUMBER_SECTIONS: readonly Section[] = [
  {
    ...ownRows('activations'),
    columns: [
      'id',
      'service_code',
      'country_id',
      'operator_wanted',
      'operator',
      'state',
      'money',
      'price_micros',
      'currency',
      'phone',
      'code',
      'sms_count',
      'again_asked_at',
      'notice_at',
      'channel',
      'idempotency_key',
      'created_at',
      'expires_at',
      'first_code_at',
      'ended_at',
      'excluded_prefixes',
      'repeat_of',
      'api_key_id',
    ],
    leftOut: { ...BOUGHT, ...OFFER, promotion_id: COSTS, input_hash: REPEATS, outcome_at: INNER },
  },
  {
    ...ownRows('rentals'),
    columns: [
      'id',
      'service_code',
      'country_id',
      'operator_wanted',
      'operator',
      'state',
      'hours',
      'phone',
      'code',
      'sms_count',
      'channel',
      'idempotency_key',
      'created_at',
      'cancel_until',
      'captured_at',
      'expires_at',
      'warned_at',
      'ended_at',
    ],
    leftOut: { ...BOUGHT, ...OFFER, input_hash: REPEATS, extension_id: INNER, warn_at: INNER },
  },
  {
    ...ownRows('preorders'),
    columns: [
      'id',
      'service_code',
      'country_id',
      'operator_wanted',
      'max_price_micros',
      'currency',
      'state',
      'activation_id',
      'idempotency_key',
      'api_key_id',
      'created_at',
      'deadline_at',
      'ended_at',
    ],
    leftOut: { input_hash: REPEATS, tries: INNER, next_try_at: INNER },
  },
  {
    table: 'messages',
    // Texts that no buyer is shown are left out here too.
    rows: `(SELECT id, activation_id, rental_id, phone, received_at, given, withheld, CASE WHEN ${withheldSql('messages')} THEN '' ELSE sender END AS sender,
        CASE WHEN NOT ${withheldSql('messages')} THEN body END AS body, CASE WHEN NOT ${withheldSql('messages')} THEN code END AS code FROM messages) t WHERE t.id IN (
        SELECT m.id FROM activations a JOIN messages m ON m.activation_id = a.id WHERE a.user_id = $1
        UNION ALL SELECT m.id FROM rentals r JOIN messages m ON m.rental_id = r.id WHERE r.user_id = $1) ORDER BY id`,
    columns: [
      'id',
      'activation_id',
      'rental_id',
      'phone',
      'sender',
      'body',
      'code',
      'received_at',
      'given',
      'withheld',
    ],
    leftOut: {
      supplier_id: COSTS,
      supplier_message_id: COSTS,
      reference: COSTS,
      named_by: READING,
      named_services: READING,
      named_family: READING,
      naming_version: READING,
    },
  },
  {
    ...ownRows('used_reports', 'activation_id'),
    columns: [
      'activation_id',
      'service_code',
      'country_id',
      'phone',
      'by_supplier',
      'reported_at',
      'lifted_at',
      'message_id',
    ],
    leftOut: { bars_all: INNER, weighed: INNER },
  },
  {
    ...ownRows('purchase_pauses', 'service_code, country_id'),
    columns: ['service_code', 'country_id', 'purchases', 'codes', 'began_at', 'until', 'lifted_at'],
  },
]
