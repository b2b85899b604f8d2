import { SECOND } from '#contract/time.ts'
import { refuseOtherCurrency } from '#server/adapters/shared/resold/buy.ts'
import { Unsent } from '#server/adapters/shared/resold/wire/throttle.ts'
import type { RentalExtension, UnknownReference } from '#server/core/suppliers/supplier.ts'
import { orderNameOf } from '../buy/account.ts'
import { readRefusal } from '../buy/refusal.ts'
import type { Answered } from '../wire/ask.ts'
import { type RentedNumber, readRented } from '../wire/read-rent.ts'
import { meaningOf } from '../wire/words.ts'
import { findRent, findResoldExtension, insertExtension, markExtended, markUnextended, renameRent } from './queries.ts'
import type { ReadyExtension, Rents, Sought } from './rents.ts'

type Extended = { outcome: 'extended'; costMicros: bigint }

/**
 * The longest time that another installation of Ringpost asks its suppliers. An extension after that time cannot be
 * undone.
 */
const UNDER_WAY_THERE_MS = 45 * SECOND
const NONE: UnknownReference = { outcome: 'none' }
const REFUSED = { outcome: 'refused' } as const

/** Requests an extension once. A repeated call only looks for its result. Throws if the outcome is unknown. */
export async function extendRental(
  rents: Rents,
  extension: RentalExtension,
  signal: AbortSignal,
): Promise<Extended | { outcome: 'refused' }> {
  const { account, asking, way } = rents
  const { ctx, supplierId } = account
  const { reference, extensionReference, hours, maxCostMicros } = extension
  const key = { supplierId, extensionReference }
  if (asking.has(extensionReference)) throw new Error(`${extensionReference} is being asked for`)
  asking.add(extensionReference)
  try {
    if ((await findResoldExtension(ctx.db, key)) !== null) return await lookAgain(rents, extension)
    const isRefused = refuseOtherCurrency(account, extension) !== null
    const ready = isRefused ? 'refused' : await way.readyExtension(rents, extension, signal)
    const row = { ...key, reference, hours, now: ctx.clock.now() }
    if (ready === 'refused') {
      await insertExtension(ctx.db, { ...row, state: 'refused', costMicros: maxCostMicros, historyBefore: null })
      return REFUSED
    }
    if (!(await insertExtension(ctx.db, { ...row, ...ready, state: 'asking' })))
      return await lookAgain(rents, extension)
    const reply = await ask(rents, extension, signal)
    const rented = reply instanceof Unsent ? null : readRented(reply)
    if (rented !== null) return await takeGranted(rents, { extension, ready, rented })
    const isGone = !(reply instanceof Unsent) && meaningOf(reply.word) === 'no-activation'
    if (!(reply instanceof Unsent) && !isGone) {
      readRefusal(account, { reference: extensionReference, maxCostMicros }, reply)
    }
    await markUnextended(ctx.db, key)
    return REFUSED
  } finally {
    asking.delete(extensionReference)
  }
}

async function lookAgain(rents: Rents, sought: Sought): Promise<Extended | { outcome: 'refused' }> {
  const found = await lookFor(rents, sought)
  return found.outcome === 'none' ? REFUSED : found
}

async function ask(
  { account, way }: Rents,
  { reference, supplierReference, extensionReference, hours, maxCostMicros }: RentalExtension,
  signal: AbortSignal,
): Promise<Answered | Unsent> {
  const name = orderNameOf(account, extensionReference)
  const rent = await findRent(account.ctx.db, { supplierId: account.supplierId, reference })
  const parameters = {
    id: rent?.rentId ?? supplierReference,
    rent_time: String(hours),
    ...way.parametersOf({ name, maxCostMicros }),
  }
  return account
    .ask({ action: 'continueRentNumber', parameters, signal, wisher: 'an extension' })
    .catch((error: unknown) => {
      if (error instanceof Unsent) return error
      throw error
    })
}

type Granted = { extension: RentalExtension; ready: ReadyExtension; rented: RentedNumber }

/** Accepts a granted extension. If its cost was not known before the request, the supplier is asked for it. */
async function takeGranted(rents: Rents, { extension, ready, rented }: Granted): Promise<Extended> {
  const { account, open } = rents
  const { reference } = extension
  // If the supplier had already ended the rental, it rents the number anew, under another id.
  await renameRent(account.ctx.db, { supplierId: account.supplierId, reference, rentId: rented.rentId })
  const rent = open.get(reference)
  if (rent !== undefined) rent.rentId = rented.rentId
  const costMicros = rents.way.costOfGranted(ready)
  if (costMicros !== null) return settle(rents, extension, costMicros)
  const found = await lookFor(rents, extension)
  if (found.outcome === 'none') throw new Error(`${extension.extensionReference} was granted, and is not known there`)
  return found
}

/** Finds out whether a rental was extended, without requesting it. Throws while the outcome is unknown. */
export async function findExtension(rents: Rents, sought: Sought): Promise<Extended | UnknownReference> {
  const { ctx, supplierId } = rents.account
  const { reference, extensionReference, hours } = sought
  if (rents.asking.has(extensionReference)) throw new Error(`${extensionReference} is being asked for`)
  const row = { supplierId, reference, extensionReference, hours, costMicros: 0n, historyBefore: null }
  // An extension that was never requested is stored as refused, so that no later call can use its reference.
  await insertExtension(ctx.db, { ...row, state: 'refused', now: ctx.clock.now() })
  return lookFor(rents, sought)
}

async function lookFor(rents: Rents, sought: Sought): Promise<Extended | UnknownReference> {
  const { ctx, supplierId } = rents.account
  const { extensionReference } = sought
  const key = { supplierId, extensionReference }
  const row = await findResoldExtension(ctx.db, key)
  if (row === null) throw new Error(`${extensionReference} has no row`)
  if (row.state === 'extended') return { outcome: 'extended', costMicros: row.costMicros }
  if (row.state === 'refused') return NONE
  // The request's age is computed before the poll. If the request had ended by then, the poll shows its result.
  const isOver = ctx.clock.now().getTime() - row.askedAt.getTime() >= UNDER_WAY_THERE_MS
  const found = await rents.way.findExtended(rents, sought, row)
  if (found !== null) return settle(rents, sought, found.costMicros)
  if (!isOver) throw new Error(`${extensionReference} may still be under way`)
  await markUnextended(ctx.db, key)
  return NONE
}

async function settle(
  { account, open }: Rents,
  { reference, extensionReference }: Sought,
  costMicros: bigint,
): Promise<Extended> {
  const { ctx, supplierId } = account
  const expiresAt = await markExtended(ctx.db, { supplierId, extensionReference, costMicros })
  const rent = open.get(reference)
  if (expiresAt !== null && rent !== undefined) rent.expiresAt = expiresAt
  return { outcome: 'extended', costMicros }
}
