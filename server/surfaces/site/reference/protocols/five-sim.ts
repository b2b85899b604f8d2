import type { Part, Protocol } from './protocol.ts'

const PURCHASE: readonly string[] = [
  'no free phones',
  'not enough user balance',
  'not enough rating',
  'no product',
  'bad country',
  'bad operator',
  'server offline',
]

export const FIVE_SIM: Protocol = {
  name: 'five-sim',
  parts: [
    get('profile', '/user/profile'),
    get('prices', '/guest/prices?country=kazakhstan&product=telegram', {
      fields: ['country', 'product'],
      words: ['country is incorrect', 'product is incorrect'],
    }),
    get('buy', '/user/buy/activation/kazakhstan/any/telegram?maxPrice=20', {
      fields: ['country*', 'operator*', 'product*', 'maxPrice'],
      words: PURCHASE,
    }),
    get('check', '/user/check/100000001', { fields: ['id*'], words: ['order not found'] }),
    get('finish', '/user/finish/100000001', {
      fields: ['id*'],
      words: ['order not found', 'order no sms', 'order expired', 'hosting order'],
    }),
    get('cancel', '/user/cancel/100000001', {
      fields: ['id*'],
      words: ['order not found', 'order has sms', 'order expired', 'cancel too early', 'hosting order'],
    }),
    get('ban', '/user/ban/100000001', {
      fields: ['id*'],
      words: ['order not found', 'order has sms', 'order expired', 'hosting order'],
    }),
    get('reuse', '/user/reuse/telegram/77050200001', {
      fields: ['product*', 'number*'],
      words: ['reuse not possible', 'reuse expired', 'no free phones'],
    }),
    get('hosting', '/user/buy/hosting/kazakhstan/any/1day', {
      fields: ['country*', 'operator*', 'period*'],
      words: PURCHASE,
    }),
    get('inbox', '/user/sms/inbox/500000001', { fields: ['id*'], words: ['order not found'] }),
    get('orders', '/user/orders?category=activation&limit=10', { fields: ['category', 'limit', 'offset', 'reverse'] }),
  ],
}

type Asked = { fields?: readonly string[]; words?: readonly string[] }

function get(id: string, path: string, { fields = [], words = [] }: Asked = {}): Part {
  const guest = path.startsWith('/guest')
  const headers: Record<string, string> = guest ? {} : { Authorization: 'Bearer {key}' }
  return {
    id,
    request: { method: 'GET', address: `/v1${path}`, headers, body: null },
    program: null,
    words: [...words],
    fields,
  }
}
