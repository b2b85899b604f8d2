import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { meetAtRow } from '#test/builders/held-row.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const ADDRESS = '/stubs/handler_api.php'

// Bodies are compared byte for byte, because a line end or a BOM would break clients that compare error texts.
test('every refusal is its word and nothing else, with 200', async () => {
  await using p = await startProtocolTest({ balance: '30.00' })
  const stranger = await p.t.makeApiKey(await p.t.makeUser())
  const { id } = await p.buy()
  const key = `api_key=${p.key}`
  const table: [query: string, body: string][] = [
    ['', 'NO_KEY'],
    ['action=getBalance', 'NO_KEY'],
    ['action=getBalance&api_key=', 'NO_KEY'],
    ['action=nothing', 'NO_KEY'],
    [`action=getBalance&api_key=${'x'.repeat(32)}`, 'BAD_KEY'],
    ['action=getBalance&api_key=short', 'BAD_KEY'],
    ['action=nothing&api_key=short', 'BAD_KEY'],
    ['action=getCountries&api_key=short', 'BAD_KEY'],
    [key, 'BAD_ACTION'],
    [`${key}&action=nothing`, 'BAD_ACTION'],
    [`${key}&action=GETBALANCE`, 'BAD_ACTION'],
    [`${key}&action=constructor`, 'BAD_ACTION'],
    [`${key}&action=__proto__`, 'BAD_ACTION'],
    [`${key}&action=getNumber`, 'BAD_SERVICE'],
    [`${key}&action=getNumber&service=`, 'BAD_SERVICE'],
    [`${key}&action=getNumber&service=nosuch&country=2`, 'BAD_SERVICE'],
    [`${key}&action=getNumber&service=TG&country=2`, 'BAD_SERVICE'],
    [`${key}&action=getNumber&service=tg&country=99999`, 'BAD_COUNTRY'],
    [`${key}&action=getNumber&service=tg&country=-1`, 'BAD_COUNTRY'],
    [`${key}&action=getNumber&service=tg&country=2.0`, 'BAD_COUNTRY'],
    [`${key}&action=getNumber&service=tg`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=wa&country=2`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=tg&country=2&activationType=1`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=tg&country=2&forward=1`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=tg&country=2&verification=true`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=tg&country=2&providerIds=999`, 'NO_NUMBERS'],
    [`${key}&action=getNumber&service=tg&country=2&maxPrice=12.99`, 'WRONG_MAX_PRICE:13.00'],
    [`${key}&action=getNumber&service=tg&country=2&maxPrice=0`, 'WRONG_MAX_PRICE:13.00'],
    [`${key}&action=getNumber&service=tg&country=2&maxPrice=-5`, 'WRONG_MAX_PRICE:13.00'],
    [`${key}&action=getNumber&service=tg&country=2&maxPrice=cheap`, 'WRONG_MAX_PRICE:13.00'],
    [`${key}&action=getNumber&service=tg&country=2&maxPrice=12.9999999999999`, 'WRONG_MAX_PRICE:13.00'],
    [`${key}&action=getNumber&service=tg&country=2&phoneException=77`, 'WRONG_EXCEPTION_PHONE'],
    [`${key}&action=getNumber&service=tg&country=2&phoneException=7705,abc`, 'WRONG_EXCEPTION_PHONE'],
    [`${key}&action=getNumber&service=tg&country=2&phoneException=${'7705,'.repeat(21)}`, 'WRONG_EXCEPTION_PHONE'],
    [`${key}&action=getNumberV2&service=tg&country=2&orderId=${'x'.repeat(101)}`, 'BAD_DATA'],
    [`${key}&action=getNumberV2&service=tg&country=2&orderId=a%00b`, 'BAD_DATA'],
    [`${key}&action=setStatus&status=8`, 'WRONG_ACTIVATION_ID'],
    [`${key}&action=setStatus&id=abc&status=8`, 'WRONG_ACTIVATION_ID'],
    [`${key}&action=setStatus&id=-5&status=8`, 'WRONG_ACTIVATION_ID'],
    [`${key}&action=setStatus&id=abc&status=99`, 'WRONG_ACTIVATION_ID'],
    [`${key}&action=setStatus&id=5&status=8`, 'NO_ACTIVATION'],
    [`${key}&action=setStatus&id=${'9'.repeat(60)}&status=8`, 'NO_ACTIVATION'],
    [`${key}&action=setStatus&id=${id}`, 'BAD_STATUS'],
    [`${key}&action=setStatus&id=${id}&status=2`, 'BAD_STATUS'],
    [`${key}&action=setStatus&id=${id}&status=toString`, 'BAD_STATUS'],
    [`${key}&action=setStatus&id=${id}&status=3`, 'BAD_STATUS'],
    [`${key}&action=setStatus&id=${id}&status=6`, 'EARLY_CANCEL_DENIED'],
    [`${key}&action=setStatus&id=${id}&status=8`, 'EARLY_CANCEL_DENIED'],
    [`${key}&action=setStatus&id=${id}&status=-1`, 'EARLY_CANCEL_DENIED'],
    [`${key}&action=cancelActivation&id=${id}`, 'EARLY_CANCEL_DENIED'],
    [`${key}&action=finishActivation&id=${id}`, 'EARLY_CANCEL_DENIED'],
    ...['1', '3', '6', '8', '-1'].map((status): [string, string] => [
      `api_key=${stranger}&action=setStatus&id=${id}&status=${status}`,
      'NO_ACTIVATION',
    ]),
    ...['getStatus', 'getStatusV2', 'getFullSms'].flatMap((action): [string, string][] => [
      [`${key}&action=${action}`, 'NO_ACTIVATION'],
      [`${key}&action=${action}&id=abc`, 'NO_ACTIVATION'],
      [`${key}&action=${action}&id=5`, 'NO_ACTIVATION'],
      [`api_key=${stranger}&action=${action}&id=${id}`, 'NO_ACTIVATION'],
    ]),
    [`api_key=${stranger}&action=getActiveActivations`, 'NO_ACTIVATIONS'],
    [`${key}&action=getActiveActivations&start=1`, 'NO_ACTIVATIONS'],
    ['action=getOperators&country=187', 'OPERATORS_NOT_FOUND'],
    ['action=getOperators&country=abc', 'OPERATORS_NOT_FOUND'],
    ['action=getServicesList&country=99999', 'BAD_COUNTRY'],
    [`${key}&action=getNumbersStatus&country=99999`, 'BAD_COUNTRY'],
    [`${key}&action=getTopCountriesByService&service=nosuch`, 'BAD_SERVICE'],
    [`${key}&action=getPrices&service=nosuch`, '{"status":"false","msg":"service is incorrect"}'],
    [`${key}&action=getPrices&country=99999`, '{"status":"false","msg":"country is incorrect"}'],
    [`${key}&action=getPrices&country=x`, '{"status":"false","msg":"country is incorrect"}'],
    [`${key}&action=getPrices&service=wa&country=2`, '{}'],
  ]
  for (const [query, body] of table) {
    const reply = await p.t.fetch(`${ADDRESS}?${query}`)
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect({ query, status: reply.status, body: bytes.toString('latin1') }).toEqual({ query, status: 200, body })
  }
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:17.00')
})

test('too little money is NO_BALANCE, and nothing is held', async () => {
  await using p = await startProtocolTest({ balance: '12.99' })
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toBe('NO_BALANCE')
  expect(await p.ask('getNumberV2', { service: 'tg', country: '2' })).toBe('NO_BALANCE')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:12.99')
  expect(p.supplier.orders).toEqual([])
})

test('a service that is no longer sold is BAD_SERVICE, and a stopped shop says NO_NUMBERS', async () => {
  await using p = await startProtocolTest()
  buyingOf(p.t.ctx).stopped = true
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toBe('NO_NUMBERS')
  buyingOf(p.t.ctx).stopped = false
  const service = catalogOf(p.t.ctx).services.get('tg')
  if (service === undefined) throw new Error('the seed has no tg')
  service.blocked_at = p.t.clock.now()
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toBe('BAD_SERVICE')
  expect(await p.ask('getTopCountriesByService', { service: 'tg' })).toBe('BAD_SERVICE')
})

test('an account that was blocked a moment ago cannot buy', async () => {
  await using p = await startProtocolTest()
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:100.00')
  await setBlocked(p.t.ctx.db, { userId: p.buyer.id, blockedAt: p.t.clock.now() })
  // The API key is cached for a second, so the error may be either of two. No money moves in either case.
  expect(['ACCOUNT_INACTIVE', 'BAD_KEY']).toContain(await p.ask('getNumber', { service: 'tg', country: '2' }))
  expect(p.supplier.orders).toEqual([])
})

test('a supplier that refuses, or sells nothing any more, is NO_NUMBERS', async () => {
  await using p = await startProtocolTest()
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toBe('NO_NUMBERS')
  catalogOf(p.t.ctx).setOffers(p.supplier.id, [{ ...fakeOffer, stock: 0 }])
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toBe('NO_NUMBERS')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:100.00')
})

test('after a code and after the end, what is not allowed is BAD_STATUS, and repeats answer the same', async () => {
  await using p = await startProtocolTest()
  const first = await p.buy()
  await p.sms(first.phone, 'Telegram code: 48213')
  p.t.clock.advance(3 * MINUTE)
  const set = (id: string, status: string) => p.ask('setStatus', { id, status })
  expect(await set(first.id, '8')).toBe('BAD_STATUS')
  expect(await set(first.id, '-1')).toBe('BAD_STATUS')
  expect(await set(first.id, '1')).toBe('ACCESS_READY')
  p.supplier.onAskAgain = async () => false
  expect(await set(first.id, '3')).toBe('BAD_STATUS')
  p.supplier.onAskAgain = async () => true
  expect(await set(first.id, '3')).toBe('ACCESS_RETRY_GET')
  expect(await set(first.id, '3')).toBe('ACCESS_RETRY_GET')
  expect(await set(first.id, '6')).toBe('ACCESS_ACTIVATION')
  expect(await set(first.id, '6')).toBe('ACCESS_ACTIVATION')
  for (const status of ['1', '3', '8']) expect(await set(first.id, status)).toBe('BAD_STATUS')
  const second = await p.buy()
  p.t.clock.advance(3 * MINUTE)
  expect(await set(second.id, '-1')).toBe('ACCESS_CANCEL')
  expect(await set(second.id, '8')).toBe('ACCESS_CANCEL')
  for (const status of ['1', '3']) expect(await set(second.id, status)).toBe('BAD_STATUS')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
})

// C-11: clients end an unwanted number by status 6.
test('6 before a code cancels from the second minute on, and gives the money back; a code in between finishes', async () => {
  await using p = await startProtocolTest()
  const set = (id: string) => p.ask('setStatus', { id, status: '6' })
  const [first, second] = [await p.buy(), await p.buy()]
  expect(await set(first.id)).toBe('EARLY_CANCEL_DENIED')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:74.00')
  p.t.clock.advance(2 * MINUTE)
  expect([await set(first.id), await set(first.id)]).toEqual(['ACCESS_ACTIVATION', 'ACCESS_ACTIVATION'])
  expect(await p.ask('getStatus', { id: first.id })).toBe('STATUS_CANCEL')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  // The check finds the activation waiting, but the cancellation runs after the code.
  const [, said] = await meetAtRow({ ...p.t.database, id: Number(second.id) }, [
    () => p.sms(second.phone, 'Telegram code: 48213'),
    () => set(second.id),
  ])
  expect(said).toEqual({ status: 'fulfilled', value: 'ACCESS_ACTIVATION' })
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  await p.t.runJobs()
  expect(p.supplier.ended.map(({ ending }) => ending)).toEqual(['cancelled', 'finished'])
  await expectBooksRight(p.t.ctx)
})
