import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { MINUTE } from '#contract/time.ts'
import type { Account } from '#server/adapters/handler-api/buy/account.ts'
import { type RentServices, readRentServices } from '#server/adapters/handler-api/wire/read-listed-rent.ts'
import { meaningOf } from '#server/adapters/handler-api/wire/words.ts'
import type { Names } from '#server/adapters/shared/resold/names.ts'
import { MOST_LIST_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'

/** The number of lists read in one round, oldest first. A list covers one length of rental in one country. */
const LISTS_A_ROUND = 40
/** Rental offers that were not read again for this long are not sold. */
const KEPT_MS = 60 * MINUTE

type List = { hours: number; country: string }
type Told = { readAt: number; services: RentServices['services'] }

export function createListedOffers(account: Account): (names: Names) => Promise<RentOffer[]> {
  const told = new Map<string, Told>()
  const countries = new Map<number, string[]>()

  const read = async ({ hours, country }: List): Promise<'read' | 'not-here'> => {
    const readAt = account.ctx.clock.now().getTime()
    const list = await askServices(account, { hours, country })
    if (list === 'not-here') return list
    told.set(nameOf({ hours, country }), { readAt, services: list?.services ?? new Map() })
    if (list !== null && list.countries.length > 0) countries.set(hours, list.countries)
    return 'read'
  }
  /**
   * Requests each rental length without naming a country. The reply has one country's offers and the names of all
   * countries.
   */
  const discover = async (): Promise<void> => {
    for (const hours of RENT_PERIODS_HOURS.filter((each) => !countries.has(each))) {
      const list = await askServices(account, { hours })
      if (list !== null && list !== 'not-here' && list.countries.length > 0) countries.set(hours, list.countries)
    }
  }
  const due = (names: Names): List[] => {
    const named = [...new Set([...countries.values()].flat())]
    const all = named.length > 0 ? named : names.allTheirs('country')
    const lists = RENT_PERIODS_HOURS.flatMap((hours) =>
      (countries.get(hours) ?? all)
        .filter((country) => names.ours('country', country) != null)
        .map((country) => ({ hours, country })),
    )
    const lastOf = (list: List) => told.get(nameOf(list))?.readAt ?? 0
    return lists.toSorted((a, b) => lastOf(a) - lastOf(b))
  }
  const offersOf = ({ hours, country }: List, names: Names): RentOffer[] => {
    const { operator, currency } = account.settings
    const countryId = Number(names.ours('country', country))
    const known = told.get(nameOf({ hours, country }))
    const isOld = known === undefined || account.ctx.clock.now().getTime() - known.readAt > KEPT_MS
    return isOld
      ? []
      : [...known.services].flatMap(([service, { costMicros, stock }]) => {
          const serviceCode = names.ours('service', service)
          return serviceCode == null ? [] : [{ serviceCode, countryId, operator, hours, costMicros, currency, stock }]
        })
  }

  return async (names) => {
    let failure: unknown = null
    let answers = 0
    await discover()
    for (const list of due(names).slice(0, LISTS_A_ROUND)) {
      try {
        // A service without rentals may still sell activations, so this is no failure.
        if ((await read(list)) === 'not-here') return []
        answers += 1
      } catch (error) {
        failure = error
      }
    }
    if (answers === 0 && failure !== null) throw failure
    return due(names).flatMap((list) => offersOf(list, names))
  }
}

const nameOf = ({ hours, country }: List): string => `${hours} ${country}`

/** Reads which services are rented out. Returns null if nothing is in stock. Throws if the reply cannot be read. */
export async function askServices(
  { ask, settings }: Account,
  { hours, country, ...how }: { hours: number; country?: string; signal?: AbortSignal; wisher?: string },
): Promise<RentServices | null | 'not-here'> {
  const parameters = { rent_time: String(hours), ...(country !== undefined && { country }) }
  const asked = { action: 'getRentServicesAndCountries', parameters, mostBytes: MOST_LIST_BYTES }
  const reply = await ask({ ...asked, ...how })
  if (reply.word === 'BAD_ACTION') return 'not-here'
  if (meaningOf(reply.word) === 'no-numbers') return null
  const list = reply.word === null ? readRentServices(reply, settings.currency) : null
  if (list === null) throw new Error(`what it rents out cannot be read: ${reply.word ?? `status ${reply.status}`}`)
  return list
}
