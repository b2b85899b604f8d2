import { expect, test } from 'vitest'
import { startProtocolTest } from '#test/services/handler-api-service.ts'
import { actions } from './actions.ts'

const NOTHING = ['', 'undefined', 'null', 'None', ' null ']
const NAMES = [
  'operator',
  'maxPrice',
  'phoneException',
  'orderId',
  'activationType',
  'forward',
  'verification',
  'providerIds',
  'exceptProviderIds',
  'minPrice',
  'fixedPrice',
  'freePrice',
  'ref',
  'language',
  'useCashBack',
  'userId',
  'apikey',
  'max_price',
  'areas',
  'carriers',
]

test('C-2: a purchase with every optional parameter undefined, null or None is one without them', async () => {
  await using p = await startProtocolTest({ balance: '1000' })
  for (const nothing of NOTHING) {
    const given = Object.fromEntries(NAMES.map((name) => [name, nothing]))
    for (const action of ['getNumber', 'getNumberV2']) {
      const reply = await p.ask(action, { service: 'tg', country: '2', ...given })
      expect(reply).toMatch(/^(?:ACCESS_NUMBER:|\{"activationId":)/)
    }
  }
  expect(p.supplier.orders).toHaveLength(NOTHING.length * 2)
})

test('C-2: every action answers a word for nothing as it answers no parameter', async () => {
  await using p = await startProtocolTest()
  const names = ['service', 'country', 'id', 'status', 'start', 'limit', 'lang', ...NAMES]
  for (const action of actions.keys()) {
    const without = await p.ask(action)
    for (const nothing of NOTHING) {
      const given = Object.fromEntries(names.map((name) => [name, nothing]))
      expect({ action, nothing, reply: await p.ask(action, given) }).toEqual({ action, nothing, reply: without })
    }
  }
  // A required parameter or API key with an empty value counts as missing, not as wrong.
  expect(await p.ask('getNumber', { service: 'undefined', country: '2' })).toBe('BAD_SERVICE')
  expect(await p.ask('getBalance', { api_key: 'undefined' })).toBe('NO_KEY')
  const body = JSON.stringify({ api_key: p.key, action: 'getNumber', service: 'tg', country: 2, maxPrice: null })
  const reply = await p.t.fetch('/stubs/handler_api.php?maxPrice=None', { method: 'POST', body })
  expect(await reply.text()).toMatch(/^ACCESS_NUMBER:/)
})

test('C-2: a value that only contains such a word stays what it is', async () => {
  await using p = await startProtocolTest()
  expect(await p.ask('getNumber', { service: 'tg', country: '2', orderId: 'null-7' })).toMatch(/^ACCESS_NUMBER:/)
  expect(await p.ask('getNumber', { service: 'tg', country: '2', orderId: 'null-7' })).toBe('ORDER_ALREADY_EXISTS')
  expect(await p.ask('getNumber', { service: 'tg', country: 'nullified' })).toBe('BAD_COUNTRY')
})
