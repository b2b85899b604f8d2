import { storeRating } from '#server/adapters/shared/resold/queries/accounts.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import { meaningOf, nameOf } from '../wire/words.ts'
import type { Account } from './account.ts'

export type Profile = { micros: bigint; ratingHundredths: number | null }

const MICROS_PER_HUNDREDTH = 10_000n

/** Reads our balance and rating at the supplier. Throws if the profile cannot be read. */
export async function askProfile({ ask, link }: Pick<Account, 'ask' | 'link'>): Promise<Profile> {
  const answered = await ask({ path: ['user', 'profile'] })
  link.note('key', meaningOf(answered) !== 'bad-key')
  const { balance, rating } = isRecord(answered.json) ? answered.json : {}
  const micros = amountOf(balance)
  if (micros === null) throw new Error(`the profile was answered with ${nameOf(answered)}`)
  const rated = amountOf(rating)
  return { micros, ratingHundredths: rated === null ? null : Number(rated / MICROS_PER_HUNDREDTH) }
}

/** Reads a negative balance as 0, because it buys nothing. */
function amountOf(value: unknown): bigint | null {
  return typeof value === 'number' && value < 0 ? 0n : readAmount(value)
}

export async function readProfile(account: Account): Promise<void> {
  const { ctx, supplierId, code, funds } = account
  const { micros, ratingHundredths } = await askProfile(account)
  const had = account.ratingHundredths
  account.ratingHundredths = ratingHundredths
  funds.read({ micros, at: ctx.clock.now() })
  if ((had === 0) !== (ratingHundredths === 0)) refreshOffersSoon(ctx, supplierId)
  if (had === ratingHundredths) return
  const became = await storeRating(ctx.db, { supplierId, ratingHundredths, now: ctx.clock.now() })
  const fields = { supplier: code, ratingHundredths }
  if (became === 'low') ctx.log.error(fields, 'the rating at a supplier is low: at 0 it sells nothing for a day')
  if (became === 'enough') ctx.log.info(fields, 'the rating at a supplier is enough again')
}
