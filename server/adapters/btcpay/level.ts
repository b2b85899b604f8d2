import type { CoinDeposit, CreditedDeposit } from '#server/adapters/shared/coins/queries.ts'
import { depositsOf, isWaiting, wholeName } from '#server/adapters/shared/coins/value-coins.ts'
import { boughtAt } from '#server/adapters/shared/exact-decimal.ts'
import type { ArrivedDeposit, KnownPayment } from '#server/core/gateways/gateway.ts'
import type { SeenInvoice } from './arrivals.ts'

/**
 * `standing` names the credited deposits that remain valid, and `fresh` lists deposits to credit. Together they equal
 * the present worth of the coins. `short` lists invoices that BTCPay calls settled although their payments do not reach
 * the order's price.
 */
export type Level = { standing: ReadonlySet<string>; fresh: ArrivedDeposit[]; short: Short[] }
type Short = { invoiceId: string; worthMicros: bigint }

type Known = {
  seen: readonly SeenInvoice[]
  settled: readonly CoinDeposit[]
  credited: readonly CreditedDeposit[]
  /** The tolerance in per cent for an invoice that names no tolerance of its own. */
  tolerance: number
}

/**
 * Finds which credited deposits remain valid and which deposits to add, so that their sum is the worth of the coins. If
 * BTCPay's tolerance accepts slightly too few coins as the full price, the missing part becomes a separate deposit,
 * `:whole`. Coins that arrive later replace this deposit, so no money is taken back. A transaction that replaced
 * another (RBF) counts like the replaced one.
 */
export function levelOf({ amountMicros: asked }: KnownPayment, known: Known): Level {
  const { seen, settled, credited } = known
  const pieces = settled.flatMap(depositsOf)
  const there = new Set(settled.map(({ provider_id: id }) => id))
  const worthMicros = sumOf(pieces)
  const completed = seen.find((one) => isCompleted(one, asked, known))
  const wanted = completed !== undefined && worthMicros < asked ? asked : worthMicros
  const named = credited.filter(({ provider_id: id }) => there.has(wholeName(id)))
  const standing = new Set(named.map(({ provider_id: id }) => id))
  let room = wanted - named.reduce((sum, { worth_micros: micros }) => sum + micros, 0n)
  const wholes = credited.filter((one) => isWhole(one, seen)).toSorted(bySize)
  const gone = credited.filter((one) => isPaymentOf(one, seen) && !standing.has(one.provider_id)).toSorted(bySize)
  for (const { provider_id: id, worth_micros: micros } of [...wholes, ...gone]) {
    if (micros > room) continue
    standing.add(id)
    room -= micros
  }
  const fresh: ArrivedDeposit[] = []
  for (const { providerId, amountMicros } of pieces) {
    if (standing.has(providerId) || room <= 0n) continue
    const micros = amountMicros < room ? amountMicros : room
    fresh.push({ providerId, amountMicros: micros })
    room -= micros
  }
  const [first] = completed === undefined ? seen : [completed]
  const isUnknown = settled.some(isWaiting)
  // The tolerance can complete a sum only when the worth of all coins is known.
  if (first !== undefined && room > 0n && !isUnknown)
    fresh.push({ providerId: `${first.invoice.id}${WHOLE}:${wholes.length + 1}`, amountMicros: room })
  return { standing, fresh, short: isUnknown ? [] : seen.flatMap((one) => shortOf(one, asked, known)) }
}

const WHOLE = ':whole'

export function isWhole({ provider_id: id }: CreditedDeposit, seen: readonly SeenInvoice[]): boolean {
  return seen.some(({ invoice }) => id.startsWith(`${invoice.id}${WHOLE}`))
}

/** Returns true if BTCPay knows the payment behind a deposit. It knows none if staff credited the deposit by hand. */
export function isPaymentOf({ provider_id: id }: CreditedDeposit, seen: readonly SeenInvoice[]): boolean {
  return seen.some(({ invoice }) => id.startsWith(`${invoice.id}/`))
}

/** Returns true if the coins pay the invoice, or lack only one unit, because BTCPay rounds the due amount. */
function isCompleted(one: SeenInvoice, asked: bigint, { settled, tolerance }: Known): boolean {
  const { invoice, method, places } = one
  const worthMicros = worthOf(one, settled)
  if (!isSettled(one) || worthMicros === 0n) return false
  const percent = BigInt(invoice.checkout?.paymentTolerance ?? tolerance)
  const unitMicros = asked / boughtAt(asked, method.rate, places).units + 1n
  return worthMicros >= asked - (asked * percent) / 100n - unitMicros
}

/** Returns true if BTCPay calls the invoice settled. A mark set by hand does not count, as it proves no payment. */
function isSettled({ invoice: { status, additionalStatus } }: SeenInvoice): boolean {
  return status === 'Settled' && additionalStatus !== 'Marked'
}

function shortOf(one: SeenInvoice, asked: bigint, known: Known): Short[] {
  if (!isSettled(one) || isCompleted(one, asked, known)) return []
  return [{ invoiceId: one.invoice.id, worthMicros: worthOf(one, known.settled) }]
}

function worthOf({ invoice: { id } }: SeenInvoice, settled: readonly CoinDeposit[]): bigint {
  return sumOf(settled.filter(({ invoice }) => invoice === id).flatMap(depositsOf))
}

function sumOf(deposits: readonly ArrivedDeposit[]): bigint {
  return deposits.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
}

/** Sorts deposits by size, largest first, so that as few deposits as possible add up to the worth of the coins. */
function bySize(one: CreditedDeposit, other: CreditedDeposit): number {
  return one.worth_micros > other.worth_micros ? -1 : one.worth_micros < other.worth_micros ? 1 : 0
}
