import { STATUS_DAYS } from '#contract/status/status.ts'
import { DAY } from '#contract/time.ts'
import { expiring, type Rule } from './rule.ts'

const SETTING = 'a setting of the service'
const NUMBERS = 'numbers of our own, and to whom each was sold'
const RESOLD_KEEP_MS = 180 * DAY
const JOBS = 'graphile-worker deletes a job that is done; mails and pushes that cannot be sent are given up'

/** Intake rows are stored longer than a signature is valid, so that a replayed request is detected. */
const INTAKE_KEEP_DAYS = 7
/** Orders of SIM banks are stored as long as the bank's bill may be checked against them. */
const BANK_ORDER_KEEP_DAYS = 90
const OUTLET_ORDER_KEEP_DAYS = 90
/** Pushes are remembered longer than an SMS is pushed after its activation ended, so that none is pushed twice. */
const OUTLET_PUSH_KEEP_DAYS = 30

export const HOUSE_RULES: Readonly<Record<string, Rule>> = {
  spent_captchas: expiring('a captcha is good once'),
  demo_mails: { why: 'of the demo alone, the newest two hundred' },
  sandbox_payments: { why: 'play money of the demo' },
  audit_log: { why: 'proves who changed what by hand; the mail address goes with the account', person: 'blanked' },
  nodes: {
    why: 'which process served when',
    steps: [
      {
        rows: 'COALESCE(ended_at, until) <= $before AND NOT EXISTS (SELECT FROM leases WHERE leases.node_id = nodes.id)',
        keepMs: () => 7 * DAY,
      },
    ],
  },
  leases: { why: 'one row for each kind of work that one node does' },
  timelines: { why: 'one row for each fail-over of PostgreSQL' },
  alarms: { why: 'one row for each alarm under way' },
  alarm_mutes: {
    why: 'alarms nobody wants to hear of for a while',
    steps: [{ rows: 'until <= $before', keepMs: () => DAY }],
  },
  content_texts: { why: 'texts of the site, replaced at a start' },
  document_versions: { why: 'consents name theirs' },
  countries: { why: SETTING },
  services: { why: SETTING },
  service_signs: { why: SETTING },
  ignored_senders: { why: SETTING },
  price_rules: { why: SETTING },
  promotions: { why: 'sales below cost name theirs' },
  settings: { why: SETTING },
  status_days: {
    why: 'the days that /status shows',
    steps: [{ rows: `day < ($before::timestamptz AT TIME ZONE 'UTC')::date`, keepMs: () => STATUS_DAYS * DAY }],
  },
  incidents: {
    why: 'what /status tells of outages; one under way stays',
    steps: [{ rows: 'closed_at < $before', keepMs: () => STATUS_DAYS * DAY }],
  },
  sim_bank_trials: { why: 'of a certification under way', steps: [{ rows: 'until < $before' }] },
  outlets: { why: SETTING },
  outlet_orders: {
    why: 'which platform was given which number',
    steps: [
      { rows: 'watched_until < $before AND (told IS NULL OR carried_out)', keepMs: () => OUTLET_ORDER_KEEP_DAYS * DAY },
    ],
  },
  outlet_pushes: {
    why: 'what a platform accepted; the words stand with their message',
    steps: [{ rows: `state <> 'due' AND made_at < $before`, keepMs: () => OUTLET_PUSH_KEEP_DAYS * DAY }],
  },
  supplier_standings: { why: 'one row for each supplier' },
  supplier_events: {
    why: 'why a supplier was set aside; a year tells how it has changed',
    steps: [{ rows: 'at <= $before', keepMs: () => 365 * DAY }],
  },
  supplier_call_hours: {
    why: 'sums of calls by the hour',
    steps: [{ rows: 'hour <= $before', keepMs: () => 90 * DAY }],
  },
  reused_message_ids: {
    why: 'how many messages were dropped for their id, by the hour; no words',
    steps: [{ rows: 'hour <= $before', keepMs: () => 90 * DAY }],
  },
  suppliers: { why: 'purchases name theirs' },
  offers: { why: 'what suppliers sell now' },
  rent_offers: { why: 'what suppliers rent out now' },
  outcome_hours: { why: 'sums of all purchases by the hour' },
  burnt_numbers: { why: 'a number is sold for a service once' },
  smpp_numbers: { why: NUMBERS },
  smpp_number_uses: { why: NUMBERS },
  smpp_leases: { why: NUMBERS },
  smpp_rent_extensions: { why: NUMBERS },
  smpp_long_messages: { why: 'suppliers/smpp/ deletes the parts once the message is whole or late' },
  smpp_parts: { why: 'deleted with their message' },
  sims: { why: NUMBERS },
  sim_bank_orders: {
    why: 'which order each number of a SIM bank was for; one that is not ended yet stays',
    steps: [
      { rows: `state NOT IN ('asking', 'sold') AND asked_at < $before`, keepMs: () => BANK_ORDER_KEEP_DAYS * DAY },
    ],
  },
  intake_requests: {
    why: 'the words go once their message is stored; the rest says for a week what came from where, and knows replays',
    steps: [{ rows: `state <> 'stored' AND received_at < $before`, keepMs: () => INTAKE_KEEP_DAYS * DAY }],
  },
  resell_accounts: { why: 'one row for each supplier that we buy from' },
  resell_codes: { why: SETTING },
  resell_unmapped: { why: 'what suppliers offer now under codes that nobody knows' },
  resold_orders: {
    why: 'what was bought where, for repeats and for the codes that came after a refund',
    steps: [{ rows: `asked_at < $before AND state NOT IN ('asking', 'open')`, keepMs: () => RESOLD_KEEP_MS }],
  },
  resold_rents: {
    why: 'what was rented where',
    steps: [{ rows: `asked_at < $before AND state NOT IN ('asking', 'open')`, keepMs: () => RESOLD_KEEP_MS }],
  },
  resold_extensions: { why: 'they go with their rental' },
  schema_migrations: { why: 'what this database has' },
  'graphile_worker._private_jobs': { why: JOBS },
  'graphile_worker._private_job_queues': { why: JOBS },
  'graphile_worker._private_known_crontabs': { why: 'nothing is in it' },
  'graphile_worker._private_tasks': { why: 'one row for each kind of job' },
  'graphile_worker.migrations': { why: 'what graphile-worker has' },
}
