import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'
import { HOUR, SECOND } from '#contract/time.ts'
import { digits } from '#server/adapters/sim-bank/wire/numbers.ts'
import { ANY } from '#server/adapters/sim-bank/wire/read-services.ts'
import { BAD_DATA, CURRENCY_NUMBERS, type Reply, STATUS } from '#server/adapters/sim-bank/wire/words.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { slugsFor } from './list-services.ts'
import type { Outlet } from './outlet.ts'
import { insertOrder } from './queries/orders.ts'

const MOST_PREFIXES = 100
const WATCHED_MS = HOUR

const wantedSchema = z.object({
  country: z.string().max(60),
  operator: z.string().max(60).default(ANY),
  service: z.string().max(32),
  /** The highest price that the platform pays, in the currency of its account, which `currency` repeats. */
  sum: z.number().positive(),
  currency: z.int(),
  exceptionPhoneSet: z
    .array(digits.pipe(z.string().max(15)))
    .max(MOST_PREFIXES)
    .default([]),
})

/** The errors after which a platform should ask another bank, for example if its account with us has no money. */
const NONE_HERE = [
  'NO_NUMBERS',
  'MAX_PRICE_TOO_LOW',
  'PRICE_CHANGED',
  'NO_BALANCE',
  'BAD_OPERATOR',
  'BUYING_STOPPED',
  'BLOCKED',
  'PAIR_PAUSED',
  'TOO_MANY_OPEN_NUMBERS',
  'SPEND_LIMIT_REACHED',
  'IN_PROGRESS',
  'BAD_SERVICE',
  'BAD_COUNTRY',
]
const NO_NUMBERS: Reply = { status: 'NO_NUMBERS' }

/**
 * Sells a number by GET_NUMBER to a platform's account, at our price. That price must not exceed `sum` of the request.
 */
export async function giveNumber(ctx: Context, outlet: Outlet, json: Record<string, unknown>): Promise<Reply> {
  const read = wantedSchema.safeParse(json)
  if (!read.success) return badData(read.error)
  const { country, operator, service: theirs, sum, currency, exceptionPhoneSet } = read.data
  const sumMicros = parseDecimal(String(sum))
  if (sumMicros === null) return { status: 'ERROR', error: `${BAD_DATA}: sum` }
  if (currency !== CURRENCY_NUMBERS[outlet.currency]) {
    return { status: 'ERROR', error: `BAD_CURRENCY: ${CURRENCY_NUMBERS[outlet.currency]} is sold here` }
  }
  const countryId = slugsFor(ctx, outlet).find(country)
  const service = outlet.settings.services.find((each) => (each.theirs ?? each.code) === theirs)
  if (countryId === undefined || service === undefined || outlet.pausedAt !== null) return NO_NUMBERS
  const purchase = buyActivation(ctx, {
    userId: outlet.userId,
    currency: outlet.currency,
    serviceCode: service.code,
    countryId,
    operator: operator === ANY ? null : operator,
    maxPriceMicros: sumMicros,
    excludedPrefixes: exceptionPhoneSet,
    apiKeyId: outlet.keyId,
    channel: 'agent',
  })
  try {
    const bought = await inTime(purchase, outlet.settings.answerSeconds * SECOND)
    if (bought === null) {
      ctx.background.run('give back a number that came too late', () => giveBack(ctx, outlet, purchase))
      return NO_NUMBERS
    }
    return await giveOut(ctx, outlet, bought.activation)
  } catch (error) {
    if (error instanceof AppError && NONE_HERE.includes(error.code)) return NO_NUMBERS
    throw error
  }
}

export function badData(error: z.ZodError): Reply {
  return { status: 'ERROR', error: `${BAD_DATA}: ${error.issues.map(({ path }) => path.join('.')).join(', ')}` }
}

/** Stores the order before the platform learns the number, so that a crash leaves no unknown sale. */
async function giveOut(ctx: Context, outlet: Outlet, activation: ActivationRow): Promise<Reply> {
  const { id, phone } = activation
  if (phone === null) throw new Error('an activation was sold without a number')
  const order = { activationId: id, outletId: outlet.id, watchedUntil: watchedUntil(activation), told: null }
  try {
    await insertOrder(ctx.db, { ...order, now: ctx.clock.now() })
  } catch (error) {
    const bought = Promise.resolve({ activation })
    ctx.background.run('give back a number that no platform was told of', () => giveBack(ctx, outlet, bought))
    throw error
  }
  return { number: BigInt(phone), activationId: id, status: 'SUCCESS' }
}

/** Ends a number for which its platform no longer waits, as if the platform had requested the end. */
async function giveBack(ctx: Context, { id: outletId }: Outlet, purchase: Promise<{ activation: ActivationRow }>) {
  const bought = await purchase.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  if (bought === null) return
  const { activation } = bought
  const order = { activationId: activation.id, outletId, watchedUntil: watchedUntil(activation) }
  await insertOrder(ctx.db, { ...order, told: STATUS.cancelled, now: ctx.clock.now() })
}

function watchedUntil({ expires_at: expiresAt }: ActivationRow): Date {
  return new Date(expiresAt.getTime() + WATCHED_MS)
}

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), limitMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
