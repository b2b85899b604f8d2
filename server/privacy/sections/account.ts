import { FOREIGN, INNER, NOT_ERASED, PLAY, REPEATS, SECRET, STAFF_REASON, THE_PERSON } from './reasons.ts'
import { OF_ACCOUNT, OF_BOTH, ownAndPlayRows, ownRows, type Section } from './section.ts'

const HOST = { ru: 'часть адреса', en: 'a part of the address' }

/** Who somebody is, and how they sign in. */
export const ACCOUNT_SECTIONS: readonly Section[] = [
  {
    table: 'users',
    rows: 'users t WHERE t.id = $1',
    columns: [
      ...[
        'id',
        'email',
        'name',
        'role',
        'zone',
        'locale',
        'settings',
        'created_at',
        'email_verified_at',
        'signed_in_at',
      ],
      ...['signed_out_at', 'blocked_at', 'referrer_id', 'utm'],
    ],
    leftOut: { password_hash: SECRET, erased_at: NOT_ERASED, sandbox_of: PLAY },
  },
  {
    ...ownRows('sessions'),
    columns: ['id', 'user_agent', 'address', 'created_at', 'last_used_at', 'revoked_at', 'confirmed_at'],
    leftOut: { access_hash: SECRET, access_expires_at: INNER, device_hash: SECRET },
  },
  { ...ownRows('identities', 'provider, subject'), columns: ['provider', 'subject', 'name', 'linked_at'] },
  {
    ...ownRows('two_factor', 'created_at'),
    columns: ['created_at', 'confirmed_at'],
    leftOut: { secret: SECRET, last_step: SECRET },
  },
  {
    ...ownRows('passkeys'),
    columns: ['id', 'rp_id', 'name', 'transports', 'created_at', 'last_used_at'],
    leftOut: { credential_id: SECRET, public_key: SECRET, handle: SECRET, counter: INNER },
  },
  {
    ...ownRows('api_keys'),
    currency: OF_ACCOUNT,
    columns: [
      ...['id', 'name', 'by_staff', 'scopes', 'addresses', 'dialect', 'sandbox', 'day_limit_micros'],
      ...['created_at', 'last_used_at', 'previous_until', 'revoked_at'],
    ],
    leftOut: { key_hash: SECRET, previous_hash: SECRET, rules_version: INNER },
  },
  {
    table: 'api_key_calls',
    rows: `api_key_calls t WHERE t.key_id IN (SELECT id FROM api_keys WHERE user_id = $1) ORDER BY key_id, fold_at, call, result`,
    columns: ['key_id', 'fold_at', 'call', 'result', 'count', 'first_at', 'last_at', 'address'],
  },
  {
    table: 'key_ceilings',
    rows: `key_ceilings t WHERE t.key_id IN (SELECT id FROM api_keys WHERE user_id = $1) ORDER BY key_id, country_id, service_code`,
    columns: ['key_id', 'country_id', 'service_code', 'max_price_micros', 'set_at'],
    currency: OF_ACCOUNT,
  },
  {
    ...ownAndPlayRows('webhook_endpoints'),
    columns: [
      ...[
        'id',
        'api_key_id',
        'label',
        'url',
        'form',
        'events',
        'previous_until',
        'state',
        'off_reason',
        'failing_since',
      ],
      'created_at',
    ],
    leftOut: {
      ...{ secret: SECRET, previous_secret: SECRET, host: HOST, failures: INNER, rest_until: INNER },
      ...{ idempotency_key: REPEATS, input_hash: REPEATS },
    },
  },
  {
    table: 'webhook_deliveries',
    rows: `webhook_deliveries t WHERE t.endpoint_id IN (SELECT t.id FROM webhook_endpoints t WHERE ${OF_BOTH}) ORDER BY id`,
    columns: [
      ...['id', 'endpoint_id', 'event', 'subject', 'message_id', 'details', 'at', 'state', 'tries', 'tried_at'],
      ...['took_ms', 'status', 'failure', 'reply'],
    ],
    leftOut: { next_at: INNER, round: INNER },
  },
  {
    ...ownRows('email_codes', 'email'),
    columns: ['email', 'code_sent_at', 'expires_at'],
    leftOut: { code_hash: SECRET, code_tries: INNER, code_expires_at: INNER },
  },
  { ...ownRows('favorites', 'mode, kind, subject_id'), columns: ['mode', 'kind', 'subject_id', 'created_at'] },
  {
    ...ownRows('max_prices'),
    columns: ['id', 'service_code', 'price_micros', 'created_at'],
    currency: OF_ACCOUNT,
  },
  {
    table: 'audit_log',
    rows: `audit_log t WHERE t.subject = 'user:' || $1::integer ORDER BY id`,
    columns: ['id', 'at', 'command', 'detail'],
    leftOut: {
      actor: FOREIGN,
      subject: THE_PERSON,
      reason: STAFF_REASON,
    },
  },
  { ...ownRows('consents', 'at, document'), columns: ['document', 'version', 'given_by', 'at'] },
  {
    ...ownRows('data_exports'),
    columns: ['id', 'state', 'asked_at', 'ready_at', 'expires_at', 'bytes'],
    leftOut: { day: INNER },
  },
  {
    ...ownRows('account_deletions'),
    currency: OF_ACCOUNT,
    columns: ['id', 'state', 'asked_by', 'gives_up_micros', 'asked_at', 'due_at', 'ended_at'],
    leftOut: { reminded_at: INNER, look_at: INNER },
  },
]
