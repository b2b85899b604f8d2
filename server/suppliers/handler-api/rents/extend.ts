import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { readAmount } from '#server/suppliers/resold/wire/amounts.ts'
import { Unsent } from '#server/suppliers/resold/wire/gate.ts'
import { isRecord } from '#server/suppliers/resold/wire/json-fields.ts'
import type { RentalExtension, UnknownReference } from '#server/suppliers/supplier.ts'
import { orderNameOf } from '../account.ts'
import { readRefusal } from '../refusal.ts'
import { readRented } from '../wire/read-rent.ts'
import { findResoldExtension, insertExtension, markExtended, markUnextended } from './queries.ts'
import type { Rents } from './rents.ts'

type Extended = { outcome: 'extended'; costMicros: bigint }
type Sought = Pick<RentalExtension, 'reference' | 'extensionReference' | 'hours'>

/** The other asks its own suppliers for no longer. An extension that comes later could not be given back. */
const UNDER_WAY_THERE_MS = 45 * SECOND
const NONE: UnknownReference = { outcome: 'none' }

/** Asked once: a repeat looks. Throws when the outcome is unknown. */
export async function extendRental(
  rents: Rents,
  extension: RentalExtension,
  signal: AbortSignal,
): Promise<Extended | { outcome: 'refused' }> {
  const { account, asking } = rents
  const { ctx, supplierId } = account
  const { reference, extensionReference, hours, maxCostMicros } = extension
  const row = { supplierId, reference, extensionReference, hours, costMicros: maxCostMicros, now: ctx.clock.now() }
  if (asking.has(extensionReference)) throw new Error(`${extensionReference} is being asked for`)
  asking.add(extensionReference)
  try {
    if (!(await insertExtension(ctx.db, { ...row, state: 'asking' }))) {
      const found = await lookFor(rents, extension)
      return found.outcome === 'none' ? { outcome: 'refused' } : found
    }
    const parameters = {
      ...{ id: extension.supplierReference, rent_time: String(hours), maxPrice: toDecimal(maxCostMicros) },
      orderId: orderNameOf(account, extensionReference),
    }
    const question = { action: 'continueRentNumber', parameters, signal, wisher: 'an extension' }
    const reply = await account.ask(question).catch((error: unknown) => {
      if (error instanceof Unsent) return error
      throw error
    })
    // It tells what the whole rental costs; what the extension did, is asked.
    if (!(reply instanceof Unsent) && readRented(reply) !== null) return await foundOf(rents, extension)
    if (!(reply instanceof Unsent)) readRefusal(account, { reference: extensionReference, maxCostMicros }, reply)
    await markUnextended(ctx.db, { supplierId, extensionReference })
    return { outcome: 'refused' }
  } finally {
    asking.delete(extensionReference)
  }
}

async function foundOf(rents: Rents, sought: Sought): Promise<Extended> {
  const found = await lookFor(rents, sought)
  if (found.outcome === 'none') throw new Error(`${sought.extensionReference} was granted, and is not known there`)
  return found
}

/** Asks what became of an extension; never extends. Throws while that is not known yet. */
export async function findExtension(rents: Rents, sought: Sought): Promise<Extended | UnknownReference> {
  const { ctx, supplierId } = rents.account
  const { reference, extensionReference, hours } = sought
  if (rents.asking.has(extensionReference)) throw new Error(`${extensionReference} is being asked for`)
  const row = { supplierId, reference, extensionReference, hours, costMicros: 0n, now: ctx.clock.now() }
  // One that was never asked for: no later call may use its name.
  await insertExtension(ctx.db, { ...row, state: 'refused' })
  return lookFor(rents, sought)
}

async function lookFor(
  { account, open }: Rents,
  { reference, extensionReference }: Sought,
): Promise<Extended | UnknownReference> {
  const { ctx, supplierId } = account
  const key = { supplierId, extensionReference }
  const row = await findResoldExtension(ctx.db, key)
  if (row === null) throw new Error(`${extensionReference} has no row`)
  if (row.state === 'extended') return { outcome: 'extended', costMicros: row.costMicros }
  if (row.state === 'refused') return NONE
  const parameters = { orderId: orderNameOf(account, extensionReference) }
  const reply = await account.ask({ action: 'getRentExtension', parameters })
  const answer = isRecord(reply.json) ? reply.json : {}
  switch (answer.order) {
    case 'extended': {
      const costMicros = readAmount(answer.cost) ?? row.costMicros
      const expiresAt = await markExtended(ctx.db, { ...key, costMicros })
      const rent = open.get(reference)
      if (expiresAt !== null && rent !== undefined) rent.expiresAt = expiresAt
      return { outcome: 'extended', costMicros }
    }
    case 'none':
      if (ctx.clock.now().getTime() - row.askedAt.getTime() < UNDER_WAY_THERE_MS) {
        throw new Error(`${extensionReference} may still be under way`)
      }
      await markUnextended(ctx.db, key)
      return NONE
    default:
      throw new Error(`${extensionReference} is not settled there: ${reply.word ?? `status ${reply.status}`}`)
  }
}
