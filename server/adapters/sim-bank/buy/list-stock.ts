import { SECOND } from '#contract/time.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import type { CountrySlugs } from '#server/house/seed/country-slugs.ts'
import type { SimBankSettings } from '../settings.ts'
import { type BankReply, Unsent } from '../wire/ask-bank.ts'
import { ANY, readServices, type StockLine } from '../wire/read-services.ts'
import { type Bank, slugsOf } from './bank.ts'
import { pairOf } from './overstated.ts'

const LIST_LIMIT_MS = 10 * SECOND
const MOST_UNKNOWN = 200

export type Stock = { offers: Offer[]; unknown: string[]; broken: number }

/** Reads a bank's stock by GET_SERVICES. Throws on an error. The caller then keeps the last stock. */
export async function listStock(bank: Bank, signal: AbortSignal): Promise<Offer[]> {
  const lines = readLines(await askServices(bank, signal))
  const slugs = await slugsOf(bank)
  const { offers, unknown, broken } = toOffers(bank.settings, slugs, lines)
  if (broken > 0) bank.ctx.log.warn({ supplier: bank.code, broken }, 'counts of a SIM bank cannot be read')
  if (unknown.join() !== bank.written.unknown.join()) {
    bank.ctx.log.warn({ supplier: bank.code, unknown }, 'a SIM bank offers what has no name here')
  }
  const countries = new Map<number, string>()
  for (const { country } of lines) {
    const id = slugs.find(country)
    if (id !== undefined) countries.set(id, country)
  }
  bank.written = { countries, unknown }
  bank.overstated.listed()
  const now = bank.ctx.clock.now()
  return offers.filter((offer) => !bank.overstated.isClosed(pairOf(offer), now))
}

export async function askServices({ ask, link }: Bank, signal: AbortSignal): Promise<BankReply> {
  try {
    const reply = await ask('GET_SERVICES', {}, { signal, timeLimitMs: LIST_LIMIT_MS })
    link.note('reach', true)
    return reply
  } catch (error) {
    link.note('reach', error instanceof Unsent && error.answered, whyFailed(error))
    throw error
  }
}

export function readLines(reply: BankReply): StockLine[] {
  const lines = reply.status === 'SUCCESS' ? readServices(reply.json) : null
  if (lines === null) throw new Error(`GET_SERVICES was answered with ${reply.status} ${reply.error}`.trim())
  return lines
}

/** Converts a bank's list to offers of the services with a cost in the settings. Most banks list a thousand more. */
export function toOffers(settings: SimBankSettings, slugs: CountrySlugs, lines: readonly StockLine[]): Stock {
  const { currency, anyOperator } = settings
  const services = new Map(settings.services.map((service) => [service.theirs ?? service.code, service]))
  const unknown = new Set<string>()
  const offers: Offer[] = []
  let broken = 0
  for (const { country, operator, service: theirs, count } of lines) {
    const countryId = slugs.find(country)
    if (countryId === undefined) {
      if (unknown.size < MOST_UNKNOWN) unknown.add(country)
      continue
    }
    if (count === null) broken += 1
    const service = services.get(theirs)
    if (service === undefined || count === null) continue
    offers.push({
      serviceCode: service.code,
      countryId,
      currency,
      stock: count,
      operator: operator === ANY ? anyOperator : operator,
      costMicros: service.costByCountry[countryId] ?? service.cost,
    })
  }
  return { offers, unknown: [...unknown], broken }
}
