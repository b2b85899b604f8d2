import { type Currency, toDecimal } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import type { Db } from '#server/db/pool.ts'
import { maskPhone } from '#server/numbers/listing/mask-phone.ts'
import type { BoughtNumber, Supplier } from '#server/suppliers/supplier.ts'
import { logDone } from '#server/trace.ts'

/** Numbers as suppliers have to write them. */
const PHONE_PATTERN = /^\d{5,15}$/

/** `unwanted`: the buyer cannot have what was sold. `unknown`: no answer, a broken one, or a number that is not taken. */
export type Settlement<Row> = { result: 'settled'; row: Row } | { result: 'unwanted' } | { result: 'unknown' }

/** Gives a number that was sold to the buyer of `row`, or says why not. */
export type Settle<Row> = (ctx: Context, supplier: Supplier, row: Row, number: BoughtNumber) => Promise<Settlement<Row>>

type SoldRow = {
  id: bigint
  attempt: number
  user_id: number
  service_code: string
  country_id: number
  price_micros: bigint
  currency: Currency
  cost_limit_micros: bigint | null
}

/** A number as it is stored with the attempt that was made for it. */
export type SettledNumber = Omit<BoughtNumber, 'outcome'> & {
  id: bigint
  attempt: number
  /** What the service counts as for sharing the number, and whether its messages name it for certain. */
  family: string
  sendersKnown: boolean
  now: Date
}

/**
 * Gives the number to the buyer of `row`, unless it is no phone number at all, cost more than this attempt may, or `give`
 * does not take it. Then nothing has changed, and whoever asks has the attempt undone. `give` answers null where the number
 * is not for this buyer; one that is in use right now violates the unique index `usedOnce`.
 */
export async function settleNumber<Row extends SoldRow>(
  ctx: Context,
  row: Row,
  number: BoughtNumber,
  input: {
    supplier: Supplier
    reference: string
    kind: 'activation' | 'rental'
    usedOnce: string
    give(db: Db, settled: SettledNumber): Promise<Row | null>
  },
): Promise<Settlement<Row>> {
  const refuse = (why: string): Settlement<Row> => {
    const { supplier, reference } = input
    ctx.log.warn({ supplier: supplier.code, reference, why }, 'a number that was sold is not taken')
    return { result: 'unknown' }
  }
  if (!PHONE_PATTERN.test(number.phone)) return refuse('it is not a phone number')
  if (number.costMicros > (row.cost_limit_micros ?? 0n)) return refuse('it costs more than was allowed')
  const { id, attempt, service_code: serviceCode } = row
  const family = ctx.senders.familyOf(serviceCode)
  const sendersKnown = ctx.senders.sendersKnown(serviceCode)
  const bought = { ...number, id, attempt, family, sendersKnown, now: ctx.clock.now() }
  const settled = await input.give(ctx.db, bought).catch((error: unknown) => {
    if (isUniqueViolation(error, input.usedOnce)) return null
    throw error
  })
  if (settled === null) return refuse('it is in use or in quarantine, burnt, or not the one wanted')
  logSale(ctx, settled, { ...number, kind: input.kind, supplier: input.supplier.code })
  return { result: 'settled', row: settled }
}

function logSale(ctx: Context, row: SoldRow, sold: BoughtNumber & { kind: string; supplier: string }): void {
  const { id, user_id: userId, service_code: service, country_id: countryId, price_micros, currency } = row
  const { kind, supplier, operator, phone, costMicros } = sold
  const price = toDecimal(price_micros)
  const fields = { order: `${kind}:${id}`, userId, service, countryId, operator, supplier, price, currency }
  logDone(ctx, { ...fields, cost: toDecimal(costMicros), phone: maskPhone(phone) }, 'a number was sold')
}
