import type { Part, Protocol } from './protocol.ts'

const PURCHASE: readonly string[] = [
  'NO_NUMBERS',
  'NO_BALANCE',
  'BAD_SERVICE',
  'BAD_COUNTRY',
  'CHANNELS_LIMIT',
  'BANNED',
]
const OF_ORDER: readonly string[] = ['NO_ACTIVATION', 'WRONG_ACTIVATION_ID', 'BAD_STATUS']

type Action = { query?: Readonly<Record<string, string>>; fields?: readonly string[]; words?: readonly string[] }

export const HANDLER_API: Protocol = {
  name: 'handler-api',
  parts: [
    action('getBalance', { words: ['NO_KEY', 'BAD_KEY'] }),
    action('getPrices', { query: { service: 'tg', country: '2' }, fields: ['service', 'country'] }),
    action('getNumber', {
      query: { service: 'tg', country: '2', maxPrice: '20' },
      fields: ['service*', 'country', 'operator', 'maxPrice', 'orderId'],
      words: [...PURCHASE, 'WRONG_MAX_PRICE'],
    }),
    action('getNumberV2', {
      query: { service: 'tg', country: '2' },
      fields: ['service*', 'country', 'operator', 'maxPrice', 'orderId'],
      words: [...PURCHASE, 'WRONG_MAX_PRICE'],
    }),
    action('getStatus', { query: { id: '100000001' }, fields: ['id*'], words: ['NO_ACTIVATION'] }),
    action('getStatusV2', { query: { id: '100000001' }, fields: ['id*'], words: ['NO_ACTIVATION'] }),
    status('again', '3', OF_ORDER),
    status('finish', '6', [...OF_ORDER, 'EARLY_CANCEL_DENIED']),
    status('cancel', '8', [...OF_ORDER, 'EARLY_CANCEL_DENIED']),
    action('getActiveActivations', { words: ['NO_ACTIVATIONS'] }),
    action('getRentNumber', {
      query: { service: 'full', country: '2', time: '24' },
      fields: ['service', 'country', 'time', 'operator', 'maxPrice', 'orderId'],
      words: [...PURCHASE, 'MAX_HOURS_EXCEEDED'],
    }),
    action('getRentStatus', { query: { id: '500000001' }, fields: ['id*'], words: ['INVALID_PHONE', 'NO_ID_RENT'] }),
  ],
}

function action(name: string, { query = {}, fields = [], words = [] }: Action): Part {
  const parameters = new URLSearchParams({ action: name, ...query })
  const address = `/stubs/handler_api.php?${parameters}&api_key={key}`
  return {
    id: name,
    request: { method: 'GET', address, headers: {}, body: null },
    program: null,
    words: [...words],
    fields,
  }
}

function status(id: string, value: string, words: readonly string[]): Part {
  const asked = action('setStatus', { query: { id: '100000001', status: value }, fields: ['id*', 'status*'], words })
  return { ...asked, id }
}
