import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { listenOnLoopback } from '../loopback-server.ts'
import { complaintOf } from './five-sim-rules.ts'

export type FiveSimSold = {
  id: number
  phone: string
  operator: string
  product: string
  country: string
  price: number
  status: 'PENDING' | 'RECEIVED' | 'CANCELED' | 'TIMEOUT' | 'FINISHED' | 'BANNED'
  madeAt: Date
  sms: { created_at: string; date: string; sender: string; text: string; code: string }[] | null
  reuse: boolean
}

type Said = { status?: number; body: unknown; headers?: Record<string, string> }
/**
 * An answer in place of the normal one. `cut` breaks the connection, and `hang` never answers. With `act`, the request
 * is carried out first.
 */
type Instead = Said | { cut: true; act: boolean } | { hang: true; act: boolean } | undefined
type Asked = { path: string; query: Readonly<Record<string, string>> }
type Priced = { cost: number; count: number; rate?: number }

/** Plays 5sim by its documentation and live replies, and checks requests. `instead` replaces the normal answer. */
export type FiveSimHouse = AsyncDisposable & {
  url: string
  key: string
  readonly asked: Asked[]
  /** Requests that 5sim does not know or that lack something. Tests expect none. */
  readonly complaints: string[]
  readonly sold: Map<number, FiveSimSold>
  balance: number
  rating: number
  prices: Record<string, Record<string, Record<string, Priced>>>
  /** The ETag of the price list, or null to send none. */
  etag: string | null
  now: () => Date
  instead: (path: string, query: Asked['query']) => Instead | Promise<Instead>
  sender: string
  /** Delivers a message to the number of the order `id`, by default to the newest number. */
  send(text: string, id?: number): void
}

const KEY = 'eyJhbGciOiJSUzUxMiJ9.a-token.of-tests'
const LIFETIME_MS = 900_000
const time = (at: Date) => at.toISOString().replace('Z', '469028Z')

export async function openFiveSimHouse(now: () => Date): Promise<FiveSimHouse> {
  const server = await listenOnLoopback((request, response) => {
    answer(house, request, response).catch((error: unknown) => {
      house.complaints.push(String(error))
      response.destroy()
    })
  })
  const house: FiveSimHouse = {
    url: `${server.url}/v1`,
    key: KEY,
    asked: [],
    complaints: [],
    sold: new Map(),
    balance: 100.5,
    rating: 96,
    etag: null,
    now,
    sender: 'Telegram',
    prices: {
      kazakhstan: {
        telegram: { virtual18: { cost: 12.5, count: 40, rate: 99.99 }, beeline: { cost: 14, count: 9 } },
        unheardof: { virtual18: { cost: 3, count: 5 } },
        '1day': { virtual18: { cost: 80, count: 5 } },
      },
      atlantis: { telegram: { virtual18: { cost: 1, count: 1 } } },
    },
    instead: () => undefined,
    send(text, id = [...house.sold.keys()].at(-1) ?? 0) {
      const sold = house.sold.get(id)
      if (sold === undefined) throw new Error(`there is no order ${id}`)
      const serial = (sold.sms ?? []).length
      const at = time(new Date(house.now().getTime() + serial))
      const code = /\d{4,}/.exec(text)?.[0] ?? ''
      sold.sms = [...(sold.sms ?? []), { created_at: at, date: at, sender: house.sender, text, code }]
      sold.status = 'RECEIVED'
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return house
}

async function answer(house: FiveSimHouse, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', house.url)
  const path = decodeURIComponent(pathname.replace(/^\/v1/, ''))
  const query = Object.fromEntries(searchParams)
  house.asked.push({ path, query })
  const { method = '', headers } = request
  const complaint = complaintOf({ method, path, query, headers })
  if (complaint !== null) house.complaints.push(complaint)
  const instead = await house.instead(path, query)
  if (instead === undefined) write(response, judge(house, { path, query }, headers))
  else if (!('act' in instead)) write(response, instead)
  else {
    if (instead.act) act(house, { path, query })
    if ('cut' in instead) response.destroy()
  }
}

function judge(house: FiveSimHouse, asked: Asked, headers: IncomingHttpHeaders): Said {
  const isGuest = asked.path.startsWith('/guest/')
  if (!isGuest && headers.authorization !== `Bearer ${house.key}`) return { status: 401, body: '' }
  if (isGuest && house.etag !== null && headers['if-none-match'] === house.etag) return { status: 304, body: '' }
  return act(house, asked)
}

function write(response: ServerResponse, { status = 200, body, headers = {} }: Said): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

const refuse = (body: string, status = 400): Said => ({ status, body })

function act(house: FiveSimHouse, { path, query }: Asked): Said {
  const [, room = '', call = '', ...values] = path.split('/')
  if (room === 'guest')
    return { body: pricesOf(house, query), headers: house.etag === null ? {} : { etag: house.etag } }
  switch (call) {
    case 'profile':
      return { body: { id: 1, email: 'a@b.example', balance: house.balance, rating: house.rating, frozen_balance: 0 } }
    case 'orders':
      return { body: ordersOf(house, query) }
    case 'buy':
      return buy(house, { country: values[1] ?? '', operator: values[2] ?? '', product: values[3] ?? '', query })
    case 'reuse':
      return reuse(house, { product: values[0] ?? '', phone: `+${values[1]}` })
    default:
      return ofOne(house, call, Number(values[0]))
  }
}

function pricesOf({ prices }: FiveSimHouse, { country, product }: Asked['query']): unknown {
  if (country !== undefined) return country in prices ? { [country]: prices[country] } : {}
  if (product === undefined) return prices
  // A price list for one product has the product at its top level.
  const places = Object.entries(prices).flatMap(([name, products]) =>
    product in products ? [[name, products[product]]] : [],
  )
  return { [product]: Object.fromEntries(places) }
}

function shown(sold: FiveSimSold): unknown {
  const { id, phone, operator, product, price, status, sms, country, madeAt } = sold
  return {
    id,
    phone,
    operator,
    product,
    price,
    status,
    sms,
    country,
    created_at: time(madeAt),
    expires: time(new Date(madeAt.getTime() + LIFETIME_MS)),
    forwarding: false,
    forwarding_number: '',
  }
}

function ordersOf({ sold }: FiveSimHouse, { limit = '10', offset = '0' }: Asked['query']): unknown {
  const all = [...sold.values()].toSorted((one, other) => other.id - one.id)
  const rows = all.slice(Number(offset), Number(offset) + Number(limit))
  return { Data: rows.map(shown), ProductNames: [], Statuses: [], Total: all.length }
}

type Wish = { country: string; operator: string; product: string; query: Asked['query'] }

function buy(house: FiveSimHouse, { country, operator, product, query }: Wish): Said {
  const offered = house.prices[country]?.[product]
  if (offered === undefined) return refuse('no product')
  const found = Object.entries(offered)
    .filter(
      ([name, { cost, count }]) =>
        count > 0 && (operator === 'any' || operator === name) && cost <= Number(query.maxPrice ?? cost),
    )
    .toSorted(([, one], [, other]) => one.cost - other.cost)[0]
  // The live service reports the refusal “no free phones” with status 200.
  if (found === undefined) return refuse('no free phones', 200)
  const [name, { cost }] = found
  if (house.balance < cost) return refuse('not enough user balance')
  return { body: shown(add(house, { country, operator: name, product, price: cost, reuse: query.reuse === '1' })) }
}

type New = Pick<FiveSimSold, 'country' | 'operator' | 'product' | 'price' | 'reuse'> & { phone?: string }

function add(house: FiveSimHouse, wish: New): FiveSimSold {
  const id = 11_631_253 + house.sold.size
  const phone = `+7705${String(id).slice(-7)}`
  const sold: FiveSimSold = { id, phone, status: 'PENDING', madeAt: house.now(), sms: null, ...wish }
  house.sold.set(id, sold)
  return sold
}

function reuse(house: FiveSimHouse, { product, phone }: { product: string; phone: string }): Said {
  const earlier = [...house.sold.values()].find((sold) => sold.phone === phone && sold.product === product)
  if (earlier === undefined || earlier.status !== 'FINISHED') return refuse('reuse not possible')
  if (!earlier.reuse) return refuse('reuse false')
  return { body: shown(add(house, { ...earlierOf(earlier), phone })) }
}

const earlierOf = ({ country, operator, product, price }: FiveSimSold) => ({
  country,
  operator,
  product,
  price,
  reuse: true,
})

const ENDS = { finish: 'FINISHED', cancel: 'CANCELED', ban: 'BANNED' } as const

function ofOne(house: FiveSimHouse, call: string, id: number): Said {
  const sold = house.sold.get(id)
  if (sold === undefined) return refuse('order not found', call === 'check' ? 404 : 400)
  if (call === 'check') return { body: shown({ ...sold, sms: sold.sms ?? [] }) }
  if (sold.status !== 'PENDING' && sold.status !== 'RECEIVED') return refuse('order expired')
  const hasSms = (sold.sms ?? []).length > 0
  if (call === 'finish' && !hasSms) return refuse('order no sms')
  if (call !== 'finish' && hasSms) return refuse('order has sms')
  if (call !== 'finish' && call !== 'cancel' && call !== 'ban') return refuse('not found', 404)
  sold.status = ENDS[call]
  return { body: shown(sold) }
}
