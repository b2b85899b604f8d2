import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { Names } from '#server/suppliers/resold/names.ts'
import { MOST_PRICE_BYTES } from '#server/suppliers/resold/wire/get-outside.ts'
import { isRecord } from '#server/suppliers/resold/wire/json-fields.ts'
import type { RentOffer } from '#server/suppliers/supplier.ts'
import type { Account } from '../account.ts'
import { readFieldNames } from '../catalogue.ts'
import { readPrices } from '../wire/read-prices.ts'

export type RentCatalogue = {
  /** The last good list. Throws before the first. */
  offers(): RentOffer[]
  refresh(): Promise<void>
}

/** One question for each length. What cannot be read changes nothing. */
export function createRentCatalogue(account: Account): RentCatalogue {
  const { ctx, supplierId } = account
  let offers: RentOffer[] | null = null
  let seen = ''
  return {
    offers() {
      if (offers === null) throw new Error('it has not told what it rents out yet')
      return offers
    },
    async refresh() {
      const names = await readFieldNames(account)
      const read: RentOffer[] = []
      for (const hours of RENT_PERIODS_HOURS) read.push(...(await readPeriod(account, names, hours)))
      const text = read.map((offer) => Object.values(offer).join(' ')).join('\n')
      const isFirst = offers === null
      if (isFirst || text !== seen) offers = read
      seen = text
      if (isFirst) ctx.offersChanged({ supplierId })
    },
  }
}

async function readPeriod({ ask, settings }: Account, names: Names, hours: number): Promise<RentOffer[]> {
  const parameters = { rent_time: String(hours) }
  const reply = await ask({ action: 'getRentPrices', parameters, mostBytes: MOST_PRICE_BYTES })
  // A service that rents nothing out, or not yet, sells numbers all the same.
  if (reply.word === 'BAD_ACTION') return []
  const read = reply.word === null && isRecord(reply.json) ? readPrices(reply.json.values, 'cost') : null
  if (read === null) throw new Error(`what it rents out cannot be read: ${reply.word ?? `status ${reply.status}`}`)
  const { operator, currency } = settings
  return read.pairs.flatMap(({ country, service, costMicros, stock }) => {
    const serviceCode = names.ours('service', service)
    const countryId = names.ours('country', country)
    if (serviceCode == null || countryId == null) return []
    return [{ serviceCode, countryId: Number(countryId), operator, hours, costMicros, currency, stock }]
  })
}
