import { CATEGORY_OF, DEFAULT_CHANNELS } from '#contract/notifications/notification.ts'
import { paymentPath } from '#contract/payment.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { at, type StoredOrder } from './order-rows.ts'
import type { StoredTopUp } from './payment-rows.ts'
import type { StoredRental } from './rental-rows.ts'
import type { Row } from './row-queries.ts'
import type { Seeded } from './seeded.ts'

export type Notice = {
  kind: keyof typeof CATEGORY_OF
  atMs: number
  details: Row
  link: string | null
  key: string
  isUnread?: boolean
}

const FAVORITES = [
  ['activation', 'service', 'tg'],
  ['activation', 'service', 'wa'],
  ['activation', 'service', 'go'],
  ['activation', 'country', '0'],
  ['activation', 'country', '6'],
  ['rent', 'service', 'full'],
  ['rent', 'country', '0'],
] as const
/** The addresses stand for documentation (RFC 5737), so they are nobody's. */
const [HOME, PROGRAM] = ['203.0.113.24', '198.51.100.7']
const SESSIONS = [
  {
    agoMs: 52 * DAY,
    usedMs: 3 * HOUR,
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  },
  {
    agoMs: 12 * DAY,
    usedMs: 26 * HOUR,
    agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  },
] as const
/** Notices of the last days are unread. */
const READ_AFTER_MS = 30 * HOUR

export function noticeRows(input: {
  userId: number
  nowMs: number
  orders: readonly StoredOrder[]
  topUps: readonly StoredTopUp[]
  rentals: readonly StoredRental[]
  answers: readonly Notice[]
}): Row[] {
  const { userId, nowMs } = input
  return [...moneyNotices(input), ...rentalNotices(input), ...houseNotices(nowMs), ...input.answers]
    .filter(({ atMs }) => atMs < nowMs)
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ kind, atMs, details, link, key, isUnread = nowMs - atMs < READ_AFTER_MS }) => ({
      user_id: userId,
      category: CATEGORY_OF[kind],
      kind,
      details,
      link,
      dedupe_key: key,
      channels: DEFAULT_CHANNELS[CATEGORY_OF[kind]],
      created_at: at(atMs),
      read_at: isUnread ? null : at(atMs + 20 * MINUTE),
    }))
}

function moneyNotices({
  orders,
  topUps,
}: {
  orders: readonly StoredOrder[]
  topUps: readonly StoredTopUp[]
}): Notice[] {
  const credited = topUps
    .filter(({ system }) => system !== 'voucher')
    .map(
      (topUp): Notice => ({
        kind: 'payment-credited',
        atMs: topUp.atMs,
        details: { amountMicros: topUp.micros, currency: 'rub' },
        link: paymentPath(topUp.transactionId),
        key: `payment:${topUp.id}:${topUp.micros}`,
      }),
    )
  const refunded = orders.flatMap((order): Notice[] => {
    if (order.refundedAtMs === null) return []
    const { serviceCode, countryId, phone } = order
    const details = { amountMicros: order.priceMicros, currency: 'rub', serviceCode, countryId, phone }
    const link = `/history?mode=activation&search=${phone}`
    return [{ kind: 'refunded', atMs: order.refundedAtMs, details, link, key: `refund:activation:${order.id}` }]
  })
  return [...credited, ...refunded]
}

function rentalNotices({ rentals }: { rentals: readonly StoredRental[] }): Notice[] {
  return rentals
    .filter(({ state }) => state === 'expired')
    .map(({ id, phone, countryId, hours, extensionHours, expiresAtMs }) => {
      const until = at(expiresAtMs)
      const details = { phone, countryId, until, hours: hours + extensionHours }
      return {
        kind: 'rental-ending',
        atMs: expiresAtMs - 3 * HOUR,
        details,
        link: '/rent',
        key: `rental:${id}:${until}`,
      }
    })
}

function houseNotices(nowMs: number): Notice[] {
  const [, laptop] = SESSIONS
  return [
    {
      kind: 'new-device',
      atMs: nowMs - laptop.agoMs,
      details: { device: 'Chrome, Windows', address: HOME },
      link: '/settings/sessions',
      key: 'session:demo',
    },
    {
      kind: 'news',
      atMs: nowMs - 20 * HOUR,
      details: {
        ru: {
          title: 'Доля кодов видна по операторам',
          text: 'На странице цен для каждого оператора теперь указаны доля кодов и время ожидания.',
        },
        en: {
          title: 'Success rates by operator',
          text: 'The price page now shows how often each operator’s numbers get a code, and how fast.',
        },
      },
      link: '/price',
      key: 'news:demo',
    },
  ]
}

export function favoriteRows(userId: number, nowMs: number): Row[] {
  return FAVORITES.map(([mode, kind, subject_id]) => ({
    user_id: userId,
    mode,
    kind,
    subject_id,
    created_at: at(nowMs - 60 * DAY),
  }))
}

/** Sessions of devices that nobody has: their tokens are drawn and thrown away. */
export function sessionRows(
  seeded: Seeded,
  input: { userId: number; ids: readonly bigint[]; nowMs: number },
): { sessions: Row[]; tokens: Row[] } {
  const { userId, ids, nowMs } = input
  return {
    sessions: SESSIONS.map(({ agoMs, usedMs, agent }, place) => ({
      id: ids[place] ?? 0n,
      user_id: userId,
      access_hash: `\\x${seeded.hex(32)}`,
      access_expires_at: at(nowMs - usedMs + 15 * MINUTE),
      user_agent: agent,
      address: HOME,
      created_at: at(nowMs - agoMs),
      last_used_at: at(nowMs - usedMs),
    })),
    tokens: SESSIONS.map(({ usedMs }, place) => ({
      hash: `\\x${seeded.hex(32)}`,
      session_id: ids[place] ?? 0n,
      expires_at: at(nowMs - usedMs + 30 * DAY),
    })),
  }
}

/** The key of a program whose secret nobody has, so that it can only be looked at, changed or revoked. */
export function keyRow(seeded: Seeded, input: { id: bigint; userId: number; nowMs: number }): Row {
  return {
    id: input.id,
    user_id: input.userId,
    key_hash: `\\x${seeded.hex(32)}`,
    created_at: at(input.nowMs - 47 * DAY),
    name: 'CRM',
    by_staff: false,
    scopes: ['read', 'buy'],
    addresses: [PROGRAM],
    day_limit_micros: 1_500_000_000n,
  }
}

const FOLD_MS = 10 * MINUTE
const SHOWN_ORDERS = 18

/** The calls by which a program bought the newest of its numbers. */
export function callRows(orders: readonly StoredOrder[], keyIds: readonly number[]): Row[] {
  const lines = keyIds.flatMap((keyId) =>
    orders
      .filter(({ apiKeyId }) => apiKeyId === keyId)
      .slice(-SHOWN_ORDERS)
      .flatMap((order) => callsOf(order, keyId)),
  )
  const folded = Map.groupBy(lines, (line) => [line.key_id, line.fold_at, line.call, line.result].join(' '))
  return [...folded.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, count: others.reduce((sum, { count }) => sum + count, first.count) }],
  )
}

function callsOf(order: StoredOrder, keyId: number) {
  const { createdAtMs, endedAtMs, messages } = order
  const codeAtMs = messages[0]?.atMs
  const line = (call: string, result: string, { atMs, count = 1 }: { atMs: number; count?: number }) => {
    const foldMs = atMs - (atMs % FOLD_MS)
    const fold = {
      fold_at: at(foldMs),
      first_at: at(atMs),
      last_at: at(Math.min(atMs + count * 1_000, foldMs + FOLD_MS - 1)),
    }
    return { key_id: keyId, call, result, count, ...fold, address: PROGRAM }
  }
  const waits = Math.max(1, Math.min(60, Math.round(((codeAtMs ?? endedAtMs) - createdAtMs) / 3_000)))
  return [
    line('getNumber', 'ACCESS_NUMBER', { atMs: createdAtMs }),
    line('getStatus', 'STATUS_WAIT_CODE', { atMs: createdAtMs + 1_000, count: waits }),
    ...(codeAtMs === undefined
      ? [line('setStatus', 'ACCESS_CANCEL', { atMs: endedAtMs })]
      : [
          line('getStatus', 'STATUS_OK', { atMs: codeAtMs }),
          line('setStatus', 'ACCESS_ACTIVATION', { atMs: endedAtMs }),
        ]),
  ]
}
