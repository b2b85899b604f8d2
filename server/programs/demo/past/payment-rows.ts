import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { SANDBOX_PATH } from '#server/adapters/sandbox-gateway/sandbox.ts'
import { kindOf, type PastMove, type PastTopUp } from './draw-money.ts'
import { at } from './order-rows.ts'
import type { Row } from './row-queries.ts'
import type { Seeded } from './seeded.ts'

export type StoredTopUp = PastTopUp & {
  id: bigint
  depositId: bigint
  transactionId: string
  providerId: string
  createdAtMs: number
}

export type Gateways = { sandbox: number; voucher: number }

const LIFETIME_MS = 20 * MINUTE
export const EXPIRED_AGO_MS = 24 * DAY
const KEYS: Record<PastTopUp['system'], string> = {
  play: 'sandbox-play',
  card: 'sandbox',
  coin: 'sandbox-coin',
  voucher: 'voucher',
}

/** Gives the top-ups ids in the order of time, and names as the gateway gives them. */
export function numberTopUps(
  seeded: Seeded,
  topUps: readonly PastTopUp[],
  {
    ids,
    depositIds,
    voucherIds,
  }: { ids: readonly bigint[]; depositIds: readonly bigint[]; voucherIds: readonly bigint[] },
): StoredTopUp[] {
  const unused = [...voucherIds]
  return topUps
    .toSorted((one, other) => one.atMs - other.atMs)
    .map((topUp, place) => ({
      ...topUp,
      id: ids[place] ?? 0n,
      depositId: depositIds[place] ?? 0n,
      transactionId: uuidOf(seeded),
      providerId: topUp.system === 'voucher' ? `voucher-${unused.shift() ?? 0n}` : `sb_${seeded.hex(12)}`,
      createdAtMs:
        topUp.atMs - (topUp.system === 'card' || topUp.system === 'coin' ? seeded.whole(20, 80) * SECOND : 0),
    }))
}

function uuidOf(seeded: Seeded): string {
  const hex = seeded.hex(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

export function paidRow(topUp: StoredTopUp, gateways: Gateways): Row {
  const isVoucher = topUp.system === 'voucher'
  return {
    id: topUp.id,
    transaction_id: topUp.transactionId,
    user_id: topUp.userId,
    gateway_id: isVoucher ? gateways.voucher : gateways.sandbox,
    system: KEYS[topUp.system],
    state: 'paid',
    amount_micros: topUp.micros,
    currency: 'rub',
    provider_id: isVoucher ? null : topUp.providerId,
    guidance: isVoucher ? null : { form: 'instant' },
    created_at: at(topUp.createdAtMs),
    expires_at: at(topUp.createdAtMs + (isVoucher ? 0 : LIFETIME_MS)),
    paid_at: at(topUp.atMs),
    next_check_at: null,
  }
}

export function depositRow(topUp: StoredTopUp, gateways: Gateways): Row {
  const isVoucher = topUp.system === 'voucher'
  return {
    id: topUp.depositId,
    payment_id: topUp.id,
    gateway_id: isVoucher ? gateways.voucher : gateways.sandbox,
    provider_id: isVoucher ? topUp.providerId : `${topUp.providerId}-d1`,
    amount_micros: topUp.micros,
    currency: 'rub',
    at: at(topUp.atMs),
  }
}

/** The payment as the simulated gateway knows it, so that a later look finds the same. */
export function sandboxRow(topUp: StoredTopUp): Row[] {
  if (topUp.system === 'voucher') return []
  return [
    {
      id: topUp.providerId,
      transaction_id: topUp.transactionId,
      amount_micros: topUp.micros,
      currency: 'rub',
      state: 'pending',
      return_url: `/top-up?payment=${topUp.transactionId}`,
      deposits: [{ id: `${topUp.providerId}-d1`, micros: topUp.micros }],
      created_at: at(topUp.createdAtMs),
    },
  ]
}

export function voucherRow(seeded: Seeded, topUp: StoredTopUp, gateways: Gateways): Row[] {
  if (topUp.system !== 'voucher') return []
  return [
    {
      id: topUp.providerId.slice('voucher-'.length),
      gateway_id: gateways.voucher,
      code_hash: `\\x${seeded.hex(32)}`,
      amount_micros: topUp.micros,
      currency: 'rub',
      batch: 'demo',
      created_at: at(topUp.atMs - 7 * DAY),
      payment_id: topUp.id,
    },
  ]
}

export function moveOfTopUp(topUp: StoredTopUp): PastMove {
  const { userId, micros, atMs, id, depositId } = topUp
  return { userId, kind: kindOf(topUp), micros, atMs, paymentId: id, depositId }
}

/** A payment that nobody paid in its time, and one that waits for its payer. */
export function unpaidRows(
  seeded: Seeded,
  input: { userId: number; ids: { expired: bigint; open: bigint }; gatewayId: number; publicUrl: URL; nowMs: number },
): { payments: Row[]; sandbox: Row[] } {
  const { userId, ids, gatewayId, publicUrl, nowMs } = input
  const plans = [
    {
      id: ids.expired,
      state: 'expired',
      micros: 1_500_000_000n,
      createdAtMs: nowMs - EXPIRED_AGO_MS,
      lifetimeMs: LIFETIME_MS,
      checkAtMs: null,
    },
    {
      id: ids.open,
      state: 'pending',
      micros: 500_000_000n,
      createdAtMs: nowMs - 4 * MINUTE,
      lifetimeMs: 12 * HOUR,
      checkAtMs: nowMs + MINUTE,
    },
  ]
  const made = plans.map(({ id, state, micros, createdAtMs, lifetimeMs, checkAtMs }) => {
    const [transactionId, providerId] = [uuidOf(seeded), `sb_${seeded.hex(12)}`]
    const common = {
      transaction_id: transactionId,
      amount_micros: micros,
      currency: 'rub',
      state,
      created_at: at(createdAtMs),
    }
    const payment = {
      ...common,
      id,
      user_id: userId,
      gateway_id: gatewayId,
      system: KEYS.card,
      provider_id: providerId,
      guidance: { form: 'redirect', url: new URL(`${SANDBOX_PATH}/${providerId}`, publicUrl).href },
      expires_at: at(createdAtMs + lifetimeMs),
      paid_at: null,
      next_check_at: checkAtMs === null ? null : at(checkAtMs),
    }
    const return_url = new URL(`/top-up?payment=${transactionId}`, publicUrl).href
    return { payment, sandbox: { ...common, id: providerId, return_url, deposits: [] } }
  })
  return { payments: made.map(({ payment }) => payment), sandbox: made.map(({ sandbox }) => sandbox) }
}
