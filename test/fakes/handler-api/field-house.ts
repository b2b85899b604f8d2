import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DialectName } from '#server/adapters/handler-api/wire/dialects.ts'
import { listenOnLoopback } from '../loopback-server.ts'
import { codeOf, type FieldSold, type Shapes, shapes } from './field-shapes.ts'
import { createRentHouse, RENT_ACTIONS, type RentHouse } from './rent-house.ts'

type Parameters = Readonly<Record<string, string>>
type Said = { status?: number; body: unknown; headers?: Record<string, string> }
/**
 * An answer in place of the normal one. `cut` breaks the connection, and `hang` never answers. With `act`, the request
 * is carried out first.
 */
type Instead = Said | { cut: true; act: boolean } | { hang: true; act: boolean } | undefined

/** Plays a service with the protocol handler_api, and checks requests. `instead` replaces the normal answer. */
export type FieldHouse = AsyncDisposable & {
  url: string
  key: string
  readonly asked: { action: string; parameters: Parameters }[]
  /** Requests that this service does not know or that lack something. Tests expect none. */
  readonly complaints: string[]
  readonly sold: Map<string, FieldSold>
  balance: string
  prices: unknown
  /** The ETag of the price list, or null to send none. */
  etag: string | null
  now: () => Date
  instead: (action: string, parameters: Parameters) => Instead | Promise<Instead>
  readonly renting: RentHouse
  readonly actOfRents: (action: string, parameters: Parameters) => Said
  /** Delivers a message to the number of the order `id`, by default to the newest number. */
  send(text: string, id?: string): void
}

const KEY = 'a-key-of-the-field'

export async function openFieldHouse(dialect: Exclude<DialectName, 'ringpost'>, now: () => Date): Promise<FieldHouse> {
  const shape = shapes[dialect]
  const server = await listenOnLoopback((request, response) => {
    answer(house, shape, request, response).catch((error: unknown) => house.complaints.push(String(error)))
  })
  const renting = createRentHouse(now, (complaint) => house.complaints.push(complaint))
  const house: FieldHouse = {
    renting: renting.house,
    actOfRents: renting.act,
    url: `${server.url}/stubs/handler_api.php`,
    key: KEY,
    asked: [],
    complaints: [],
    sold: new Map(),
    balance: '100.50',
    prices: shape.prices,
    etag: null,
    now,
    instead: () => undefined,
    send(text, id = [...house.sold.keys()].at(-1)) {
      const sold = house.sold.get(id ?? '')
      if (sold === undefined) throw new Error(`there is no activation ${id}`)
      sold.texts.push(text)
      sold.state = 'code'
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return house
}

async function answer(
  house: FieldHouse,
  shape: Shapes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const {
    api_key: key,
    action = '',
    ...parameters
  } = Object.fromEntries(new URL(request.url ?? '', house.url).searchParams)
  house.asked.push({ action, parameters })
  const shown = shape.keyIn === 'query' ? key : request.headers[shape.keyIn]
  if (!shape.actions.includes(action)) house.complaints.push(`there is no action ${action}`)
  const instead = await house.instead(action, parameters)
  if (instead === undefined) {
    if (action === 'getPrices' && house.etag !== null && request.headers['if-none-match'] === house.etag) {
      return write(response, { status: 304, body: '' })
    }
    const said = shown === house.key ? act(house, shape, { action, parameters }) : shape.error('BAD_KEY')
    return write(response, said)
  }
  if (!('act' in instead)) return write(response, instead)
  if (instead.act) act(house, shape, { action, parameters })
  if ('cut' in instead) response.destroy()
}

function write(response: ServerResponse, { status = 200, body, headers = {} }: Said): void {
  response.writeHead(status, headers)
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function act(house: FieldHouse, shape: Shapes, asked: { action: string; parameters: Parameters }): Said {
  const { action, parameters } = asked
  switch (action) {
    case 'getBalance':
      return { body: `ACCESS_BALANCE:${house.balance}` }
    case 'getPrices':
      return { body: house.prices, headers: house.etag === null ? {} : { etag: house.etag } }
    case 'getNumber':
    case 'getNumberV2':
      return sell(house, shape, parameters)
    case 'getExtraActivation':
      return again(house, parameters)
    case 'getActiveActivations':
      return { body: shape.list(openOnes(house)) }
    case 'getStatus':
    case 'getFullSms':
    case 'getStatusV2':
    case 'setStatus':
      return ofOne(house, shape, asked)
    default:
      return RENT_ACTIONS.includes(action) ? house.actOfRents(action, parameters) : shape.error('BAD_ACTION')
  }
}

const openOnes = ({ sold }: FieldHouse) =>
  [...sold.values()].filter(({ state }) => state !== 'cancelled' && state !== 'finished')

function sell(house: FieldHouse, shape: Shapes, parameters: Parameters): Said {
  const { service = '', country = '' } = parameters
  const ceiling = parameters.maxPrice ?? parameters.max_price ?? ''
  if (!/^\d+\.\d{2,6}$/.test(ceiling)) house.complaints.push(`bought under the ceiling "${ceiling}"`)
  if (service === '' || !/^\d+$/.test(country)) house.complaints.push(`bought ${service} of ${country}`)
  if (Number(ceiling) < 12.5) return shape.error('NO_NUMBERS')
  return { body: shape.number(add(house, { service, country })) }
}

function add(
  house: FieldHouse,
  { service, country, phone }: { service: string; country: string; phone?: string },
): FieldSold {
  const serial = 3_936_000_001 + house.sold.size
  const sold: FieldSold = {
    id: String(serial),
    service,
    country,
    phone: phone ?? `7705${String(serial).slice(-7)}`,
    cost: '12.50',
    madeAt: house.now(),
    state: 'waiting',
    texts: [],
  }
  house.sold.set(sold.id, sold)
  return sold
}

function again(house: FieldHouse, { activationId = '' }: Parameters): Said {
  const earlier = house.sold.get(activationId)
  if (earlier?.state !== 'finished') return { body: 'RENEW_ACTIVATION_NOT_AVAILABLE' }
  const sold = add(house, earlier)
  return { body: `ACCESS_NUMBER:${sold.id}:${sold.phone}` }
}

function ofOne(house: FieldHouse, shape: Shapes, asked: { action: string; parameters: Parameters }): Said {
  const sold = house.sold.get(asked.parameters.id ?? '')
  if (sold === undefined) return shape.error('NO_ACTIVATION')
  if (asked.action === 'setStatus') return setStatus(sold, shape, asked.parameters.status ?? '')
  const text = sold.texts.at(-1)
  if (sold.state === 'cancelled' || sold.state === 'finished') return { body: 'STATUS_CANCEL' }
  if (asked.action === 'getFullSms') return { body: text === undefined ? 'STATUS_WAIT_CODE' : `FULL_SMS:${text}` }
  if (asked.action === 'getStatusV2')
    return { body: { verificationType: 0, sms: text === undefined ? null : { text } } }
  const code = codeOf(text ?? '')
  if (sold.state === 'waiting') return { body: 'STATUS_WAIT_CODE' }
  return { body: sold.state === 'again' ? `STATUS_WAIT_RETRY:${code}` : `STATUS_OK:${code}` }
}

function setStatus(sold: FieldSold, shape: Shapes, status: string): Said {
  const isOver = sold.state === 'cancelled' || sold.state === 'finished'
  if (isOver) return shape.error('NO_ACTIVATION')
  const hasCode = sold.texts.length > 0
  if (status === '3' && hasCode) {
    sold.state = 'again'
    return { body: 'ACCESS_RETRY_GET' }
  }
  if (status === '6' && hasCode) {
    sold.state = 'finished'
    return { body: 'ACCESS_ACTIVATION' }
  }
  if (status === '8' && !hasCode) {
    sold.state = 'cancelled'
    return { body: 'ACCESS_CANCEL' }
  }
  return shape.error('BAD_STATUS')
}
