export type FieldRent = {
  id: string
  service: string
  country: string
  phone: string
  hours: number
  state: 'open' | 'finished' | 'cancelled' | 'revoked'
  texts: { text: string; date: string }[]
  extensions: { createDate: string; price: string; hours: number }[]
}

type Parameters = Readonly<Record<string, string>>
type Said = { status?: number; body: unknown }

/** Plays the seven rental actions of a service with the protocol handler_api, by its documentation. */
export type RentHouse = {
  readonly rents: Map<string, FieldRent>
  /** The cost of a rental of 24 hours, or null if no number is in stock. */
  cost: number | null
  longestPage: number
  send(text: string, id?: string): void
}

const naive = (at: Date) => new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const fault = (message: string, more: object = {}): Said => ({ body: { status: 'error', message, ...more } })
const FREE_MS = 20 * 60_000

export function createRentHouse(now: () => Date, complain: (complaint: string) => void) {
  const madeAt = new Map<string, Date>()
  const house: RentHouse = {
    rents: new Map(),
    cost: 60,
    longestPage: 100,
    send(text, id = [...house.rents.keys()].at(-1)) {
      house.rents.get(id ?? '')?.texts.push({ text, date: naive(now()) })
    },
  }
  const priceOf = (hours: number) => ((house.cost ?? 0) * Math.max(4, hours)) / 24

  const services = ({ rent_time: hours = '', country = '2' }: Parameters): Said => {
    if (!/^\d+$/.test(hours) || !/^\d+$/.test(country)) complain(`rent prices of ${country} for ${hours}`)
    if (house.cost === null || country !== '2') return fault('OUT_OF_STOCK')
    const cost = priceOf(Number(hours))
    return {
      body: {
        countries: { '0': 2 },
        operators: { '0': 'altel', '1': 'any' },
        currency: 643,
        services: { full: { cost, quant: { current: 20, total: 30 } }, xx1: { cost: 3, quant: 5 } },
      },
    }
  }
  const begin = ({ service = '', country = '', rent_time: hours = '', ...rest }: Parameters): Said => {
    if (!/^\d+$/.test(hours) || !/^\d+$/.test(country) || service === '') complain(`rented ${service} of ${country}`)
    if (Object.keys(rest).length > 0) complain(`rented with ${Object.keys(rest)}`)
    if (house.cost === null) return fault('NO_NUMBERS')
    const id = String(1049 + house.rents.size)
    const phone = `7705${String(3_000_000 + house.rents.size)}`
    house.rents.set(id, {
      id,
      service,
      country,
      phone,
      hours: Number(hours),
      state: 'open',
      texts: [],
      extensions: [],
    })
    madeAt.set(id, now())
    return granted(id)
  }
  const granted = (id: string): Said => {
    const rent = house.rents.get(id)
    const endDate = new Date((madeAt.get(id) ?? now()).getTime() + (rent?.hours ?? 0) * 3_600_000)
    return {
      body: {
        status: 'success',
        phone: { id: Number(id), endDate: endDate.toISOString().slice(0, 19), number: rent?.phone },
      },
    }
  }
  const ofOne = (action: string, parameters: Parameters): Said => {
    const rent = house.rents.get(parameters.id ?? '')
    if (rent === undefined) return fault('NO_ID_RENT')
    switch (action) {
      case 'getRentStatus':
        return messages(rent, parameters)
      case 'setRentStatus':
        return setStatus(rent, parameters.status ?? '')
      case 'continueRentInfo': {
        if (rent.state !== 'open') return fault('RENT_DIE')
        const history = parameters.needHistory === '1' ? { history: Object.assign({}, rent.extensions) } : {}
        const hours = Number(parameters.hours)
        return { body: { status: 'success', price: priceOf(hours), currency: 643, hours, ...history } }
      }
      default: {
        if (rent.state !== 'open') return fault('RENT_DIE')
        const hours = Number(parameters.rent_time)
        if (rent.hours + hours > 1344) return fault('MAX_HOURS_EXCEED', { info: { max: 1344 } })
        rent.hours += hours
        rent.extensions.push({ createDate: naive(now()), price: String(priceOf(hours)), hours })
        return granted(rent.id)
      }
    }
  }
  const messages = (rent: FieldRent, { page = '1', size = '10' }: Parameters): Said => {
    if (rent.state !== 'open') {
      return fault({ finished: 'STATUS_FINISH', cancelled: 'STATUS_CANCEL', revoked: 'STATUS_REVOKE' }[rent.state])
    }
    if (rent.texts.length === 0) return fault('STATUS_WAIT_CODE')
    const length = Math.min(Number(size), house.longestPage)
    const rows = rent.texts.toReversed().slice((Number(page) - 1) * length, Number(page) * length)
    const values = rows.map(({ text, date }) => ({ phoneFrom: 'Telegram', text, service: 'ot', date }))
    const quantity = String(rent.texts.length)
    return { body: { status: 'success', quantity, values: Object.assign({}, values) } }
  }
  const setStatus = (rent: FieldRent, status: string): Said => {
    if (rent.state === 'cancelled') return fault('ALREADY_CANCEL')
    if (rent.state !== 'open') return fault('ALREADY_FINISH')
    if (status !== '1' && status !== '2') return fault('INCORECT_STATUS')
    const age = now().getTime() - (madeAt.get(rent.id)?.getTime() ?? 0)
    if (status === '2' && (age > FREE_MS || rent.texts.length > 0)) return fault('CANT_CANCEL')
    rent.state = status === '1' ? 'finished' : 'cancelled'
    return { body: { status: 'success' } }
  }
  const list = ({ length = '10', page = '1' }: Parameters): Said => {
    const size = Math.min(Number(length), house.longestPage)
    const open = [...house.rents.values()].filter(({ state }) => state === 'open').toReversed()
    const rows = open.slice((Number(page) - 1) * size, Number(page) * size)
    if (rows.length === 0) return fault('NO_NUMBERS')
    return {
      body: {
        status: 'success',
        values: Object.assign(
          {},
          rows.map(({ id, phone }) => ({ id, phone })),
        ),
      },
    }
  }

  return {
    house,
    act(action: string, parameters: Parameters): Said {
      if (action === 'getRentServicesAndCountries') return services(parameters)
      if (action === 'getRentNumber') return begin(parameters)
      if (action === 'getRentList') return list(parameters)
      return ofOne(action, parameters)
    },
  }
}

export const RENT_ACTIONS = [
  'getRentServicesAndCountries',
  'getRentNumber',
  'getRentStatus',
  'setRentStatus',
  'getRentList',
  'continueRentNumber',
  'continueRentInfo',
]
