import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/db/pool.ts'

const BATCH = 5_000
const MAX_BATCHES = 100

/** A step that fails is logged, and the others run. */
export async function cleanUp(ctx: Context): Promise<void> {
  const { db, log } = ctx
  const now = ctx.clock.now()
  const steps: Record<string, () => Promise<void>> = {
    // First, because the service promises it.
    messages: () => forgetOldMessages(db, new Date(now.getTime() - ctx.config.messageKeepDays * DAY)),
    tokens: () => deleteExpiredTokens(db, now),
    sessions: () => deleteDeadSessions(db, now),
    secrets: () => deleteUnusedSecrets(db, now),
    'auth requests': () => deleteExpiredAuthRequests(db, now),
    addresses: () => deleteUnprovedAddresses(db, now),
    'sender matches': () => deleteOldSenderMatches(db, now),
    registrations: () => deleteOldestRegistrations(db),
    mails: () => giveUpMails(ctx),
    'key calls': () => deleteOldKeyCalls(db, now),
    'jobs of notifications': () => giveUpTelling(ctx),
    'gateway events': () => deleteOldEvents(db, now),
    notifications: () => deleteOldNotifications(db, now),
    telegram: () => deleteOldUpdates(db, now),
    'yookassa orders': () => deleteOldOrders(db, now),
    'support files': () => deleteLooseFiles(db, now),
  }
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run()
    } catch (error) {
      log.error({ error, step }, 'a step of the clean-up failed')
    }
  }
}

async function forgetOldMessages(db: Db, before: Date): Promise<void> {
  await inBatches(() => forgetMessages(db, before))
}

/** `work` returns how many rows it changed. */
async function inBatches(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await work()) < BATCH) return
  }
}

async function giveUpMails({ db, log }: Context): Promise<void> {
  const unsent = await deleteExhausted(db, ['send-mail'])
  if (unsent > 0) log.error({ unsent }, 'mails were given up: the mail server took them at no attempt')
}

/** The bell has them all the same. */
async function giveUpTelling({ db, log }: Context): Promise<void> {
  const untold = await deleteExhausted(db, ['tell-notification', 'mail-notification', 'send-push'])
  if (untold > 0) log.warn({ untold }, 'mails and pushes of notifications were given up')
}

async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM refresh_tokens WHERE expires_at <= $1', values: [now], limitMs: SLOW_LIMIT_MS })
}

/** The device of an ended session is recognised for this long. */
const DEAD_SESSION_KEEP_MS = 90 * DAY

/** Sessions with a refresh token stay, whatever their age. */
async function deleteDeadSessions(db: Db, now: Date): Promise<void> {
  await db.query({
    text: `DELETE FROM sessions s WHERE last_used_at < $1
      AND (revoked_at IS NOT NULL OR NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id))`,
    values: [new Date(now.getTime() - DEAD_SESSION_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
}

const SET_UP_KEEP_MS = DAY

async function deleteUnusedSecrets(db: Db, now: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM pending_logins WHERE expires_at <= $1', values: [now], limitMs: SLOW_LIMIT_MS })
  await db.query({ text: 'DELETE FROM spent_captchas WHERE expires_at <= $1', values: [now], limitMs: SLOW_LIMIT_MS })
  await db.query({
    text: 'DELETE FROM two_factor WHERE confirmed_at IS NULL AND created_at <= $1',
    values: [new Date(now.getTime() - SET_UP_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
}

async function deleteExpiredAuthRequests(db: Db, now: Date): Promise<void> {
  for (const table of ['auth_requests', 'passkey_challenges']) {
    await db.query({ text: `DELETE FROM ${table} WHERE expires_at <= $1`, values: [now], limitMs: SLOW_LIMIT_MS })
  }
}

async function deleteUnprovedAddresses(db: Db, now: Date): Promise<void> {
  for (const table of ['registrations', 'email_codes', 'password_resets']) {
    await db.query({ text: `DELETE FROM ${table} WHERE expires_at <= $1`, values: [now], limitMs: SLOW_LIMIT_MS })
  }
}

/** Senders are learnt from a month of matches (numbers/messages/learn-senders.ts). */
const SENDER_MATCH_KEEP_MS = 30 * DAY

async function deleteOldSenderMatches(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SENDER_MATCH_KEEP_MS)
  await db.query({ text: 'DELETE FROM sender_matches WHERE matched_at <= $1', values: [before] })
}

/** More than any honest day brings; each network has a hundred at most (accounts/registration/queries.ts). */
const MAX_REGISTRATIONS = 100_000

async function deleteOldestRegistrations(db: Db): Promise<void> {
  await db.query({
    text: `DELETE FROM registrations
      WHERE id <= (SELECT id FROM registrations ORDER BY id DESC OFFSET $1 LIMIT 1)`,
    values: [MAX_REGISTRATIONS],
  })
}

/** Exhausted jobs hold addresses or codes and are never retried. */
async function deleteExhausted(db: Db, tasks: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
      WHERE task_identifier = ANY ($1) AND attempts >= max_attempts AND locked_at IS NULL))`,
    values: [tasks],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows[0]?.count ?? 0
}

/** A promise of the privacy policy. */
const KEY_CALL_KEEP_MS = 90 * DAY

async function deleteOldKeyCalls(db: Db, now: Date): Promise<void> {
  await inBatches(() => deleteKeyCalls(db, new Date(now.getTime() - KEY_CALL_KEEP_MS)))
}

async function deleteKeyCalls(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: `DELETE FROM api_key_calls WHERE (key_id, fold_at, call, result) IN (
      SELECT key_id, fold_at, call, result FROM api_key_calls WHERE last_at < $1 LIMIT $2)`,
    values: [before, BATCH],
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** The books need the row; body and code are removed. */
async function forgetMessages(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: `UPDATE messages SET body = NULL, code = NULL WHERE id IN (
      SELECT id FROM messages WHERE body IS NOT NULL AND received_at < $1 ORDER BY received_at LIMIT $2)`,
    values: [before, BATCH],
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** Evidence in a dispute, which may come within a year and a half. */
const GATEWAY_EVENT_KEEP_MS = 730 * DAY
const REFUSED_EVENT_KEEP_MS = 7 * DAY

async function deleteOldEvents(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - REFUSED_EVENT_KEEP_MS)
  // Each state has an index of its own by time.
  await inBatches(() => deletePassingEvents(db, { state: 'refused', before, limit: BATCH }))
  await inBatches(() => deletePassingEvents(db, { state: 'repeated', before, limit: BATCH }))
  await inBatches(() =>
    deleteOldestEvents(db, { before: new Date(now.getTime() - GATEWAY_EVENT_KEEP_MS), limit: BATCH }),
  )
}

async function deletePassingEvents(
  db: Db,
  input: { state: 'refused' | 'repeated'; before: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    text: `DELETE FROM gateway_events WHERE id IN (
      SELECT id FROM gateway_events WHERE state = $state AND received_at < $before ORDER BY received_at LIMIT $limit)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** Looks at the oldest alone, because their number is their order in time. */
async function deleteOldestEvents(db: Db, input: { before: Date; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    text: `DELETE FROM gateway_events WHERE id IN (
      SELECT id FROM (SELECT id, state, received_at FROM gateway_events ORDER BY id LIMIT $limit) oldest
      WHERE state <> 'stored' AND received_at < $before)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** Telegram repeats updates for a day. Its ids begin anew after a quiet week, when none may be left. */
const UPDATE_KEEP_MS = 3 * DAY
/** Marks that a code was sent: it is of no use long before. */
const SENT_CODE_KEEP_MS = 7 * DAY

async function deleteOldUpdates(db: Db, now: Date): Promise<void> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  await db.query({
    text: 'DELETE FROM telegram_updates WHERE received_at < $1',
    values: [since(UPDATE_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
  await db.query({
    text: 'DELETE FROM telegram_codes WHERE queued_at < $1',
    values: [since(SENT_CODE_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
  await db.query({ text: 'DELETE FROM telegram_links WHERE expires_at <= $1', values: [now], limitMs: SLOW_LIMIT_MS })
}

/** Their receipts are needed while a payment can be paid back: three years. */
const YOOKASSA_ORDER_KEEP_MS = 1_095 * DAY

async function deleteOldOrders(db: Db, now: Date): Promise<void> {
  await db.query({
    text: 'DELETE FROM yookassa_orders WHERE first_sent_at < $1',
    values: [new Date(now.getTime() - YOOKASSA_ORDER_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Files of a draft that was never sent. */
const LOOSE_FILE_KEEP_MS = DAY

async function deleteLooseFiles(db: Db, now: Date): Promise<void> {
  await db.query({
    text: 'DELETE FROM support_files WHERE message_id IS NULL AND created_at <= $1',
    values: [new Date(now.getTime() - LOOSE_FILE_KEEP_MS)],
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Stated in docs/notifications.md. */
const NOTIFICATION_KEEP_MS = 180 * DAY
const MOST_NOTIFICATIONS = 10_000

async function deleteOldNotifications(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTIFICATION_KEEP_MS)
  await inBatches(() => deleteOldestNotifications(db, { before, limit: BATCH }))
  await inBatches(() => deleteExcessNotifications(db, { most: MOST_NOTIFICATIONS, limit: BATCH }))
}

/** Looks at the oldest alone, because their number is their order in time. */
async function deleteOldestNotifications(db: Db, input: { before: Date; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    text: `DELETE FROM notifications WHERE id IN (
      SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT $limit) oldest WHERE created_at < $before)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** What one person has beyond the most. */
async function deleteExcessNotifications(db: Db, input: { most: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    text: `DELETE FROM notifications WHERE id IN (
      SELECT excess.id FROM (SELECT user_id FROM notifications GROUP BY user_id HAVING count(*) > $most) much
      CROSS JOIN LATERAL (SELECT id FROM notifications n WHERE n.user_id = much.user_id ORDER BY id DESC OFFSET $most) excess
      LIMIT $limit)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}
