import { toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { Bank } from '#server/adapters/sim-bank/buy/bank.ts'
import { bankOrders, markEnded, markSold } from '#server/adapters/sim-bank/buy/queries/orders.ts'
import { giveBackLater } from '#server/adapters/sim-bank/buy/queries/trials.ts'
import { digits } from '#server/adapters/sim-bank/wire/numbers.ts'
import { CURRENCY_NUMBERS, STATUS } from '#server/adapters/sim-bank/wire/words.ts'
import type { Random } from '#server/house/clock.ts'

/** The time after which a job gives a number back if the test was interrupted, longer than a test takes. */
const GIVEN_BACK_MS = 15 * MINUTE

export type Pair = { country: string; operator: string; service: string; countryId: number; serviceCode: string }

export type Taken = { reference: string; activationId: string; phone: string; numeric: boolean; tookMs: number }

/** Takes a number from a bank. Returns null for NO_NUMBERS, and throws for other replies without a number. */
export async function takeNumber(
  bank: Bank,
  pair: Pair,
  { random, excluded = [] }: { random: Random; excluded?: readonly string[] },
): Promise<Taken | null> {
  const { ctx, supplierId, settings } = bank
  const { country, operator, service, countryId, serviceCode } = pair
  const cost = settings.services.find(({ code }) => code === serviceCode)
  const costMicros = cost?.costByCountry[countryId] ?? cost?.cost ?? 0n
  const reference = `certify-${random.uuid()}`
  const now = ctx.clock.now()
  const asked = { supplierId, reference, serviceCode, countryId, operator, costMicros, now }
  await bankOrders.insert(ctx.db, { ...asked, state: 'asking' })
  await giveBackLater(ctx.db, { supplierId, reference, at: new Date(now.getTime() + GIVEN_BACK_MS) })
  const reply = await bank.ask('GET_NUMBER', {
    country,
    operator,
    service,
    sum: Number(toDecimal(costMicros)),
    currency: CURRENCY_NUMBERS[settings.currency],
    ...(excluded.length > 0 && { exceptionPhoneSet: excluded }),
  })
  const { number, activationId } = reply.json
  const read = [digits.safeParse(activationId), digits.safeParse(number)] as const
  if (reply.status !== 'SUCCESS' || !read[0].success) {
    await bankOrders.markUnsold(ctx.db, { supplierId, reference, state: 'refused' })
    if (reply.status === 'NO_NUMBERS') return null
    throw new Error(`GET_NUMBER was answered with ${reply.status} ${reply.error}`)
  }
  const phone = read[1].success ? read[1].data : ''
  const outcome = await markSold(ctx.db, { supplierId, reference, activationId: read[0].data, phone, lostSince: now })
  if (outcome === 'taken') throw new Error(`activation ${read[0].data} was given before and is not ended`)
  const numeric = [number, activationId].every((value) => typeof value !== 'string')
  return { reference, activationId: read[0].data, phone, numeric, tookMs: reply.tookMs }
}

/** Gives a number back by FINISH_ACTIVATION with status 4. Returns the status of the bank's reply. */
export async function giveBack(bank: Bank, { reference, activationId }: Taken): Promise<string> {
  const { ctx, supplierId } = bank
  const reply = await bank.ask('FINISH_ACTIVATION', { activationId: BigInt(activationId), status: STATUS.cancelled })
  if (reply.status !== 'SUCCESS') return `${reply.status} ${reply.error}`.trim()
  await markEnded(ctx.db, { supplierId, reference, told: STATUS.cancelled, now: ctx.clock.now() })
  return reply.status
}
