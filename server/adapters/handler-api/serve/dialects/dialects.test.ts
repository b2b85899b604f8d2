import { expect, test } from 'vitest'
import { KEY_DIALECTS } from '#contract/api-key.ts'
import { MINUTE } from '#contract/time.ts'
import { type ServedName, servedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { type ProtocolTest, startProtocolTest } from '#test/services/handler-api-service.ts'
import { envelope, invalid, REFUSALS, tg } from '#test/tables/handler-api-refusals.ts'

const NAMES = [...KEY_DIALECTS, 'union'] as const
const addressOf = (dialect: ServedName) => `${dialect === 'union' ? '' : `/${dialect}`}/stubs/handler_api.php`

function askerOf({ t, key }: ProtocolTest, dialect: ServedName, headers: Record<string, string> = {}) {
  return async (action: string, parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ api_key: key, action, ...parameters })
    const reply = await t.fetch(`${addressOf(dialect)}?${query}`, { headers })
    return { status: reply.status, text: await reply.text() }
  }
}

test('each refusal of each action is written as its dialect does: with 200, and with HeroSMS’s status for who reads that', async () => {
  await using p = await startProtocolTest({
    balance: '40',
    offers: [fakeOffer, { ...fakeOffer, serviceCode: 'ig', costMicros: 90_000_000n }],
  })
  const [open, coded] = [await p.buy(), await p.buy()]
  await p.sms(coded.phone, 'Telegram code: 48213')
  for (const dialect of NAMES) {
    const [ask, askForStatus] = [askerOf(p, dialect), askerOf(p, dialect, { accept: 'application/problem+json' })]
    for (const [action, given, said, other] of REFUSALS) {
      const parameters = JSON.parse(JSON.stringify(given).replace('OPEN', open.id).replace('CODED', coded.id))
      const text = other[dialect] ?? (dialect === 'hero-sms' ? other.hero : undefined) ?? said
      const row = { dialect, action, given }
      expect({ ...row, ...(await ask(action, parameters)) }).toEqual({ ...row, status: 200, text })
      const status = dialect === 'hero-sms' ? (other.real ?? 200) : 200
      expect({ ...row, ...(await askForStatus(action, parameters)) }).toEqual({ ...row, status, text })
    }
  }
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:14.00')
})

test('C-12: times, and the shapes of getNumberV2, the status, the lists and the prices in each dialect', async () => {
  await using p = await startProtocolTest({ balance: '500' })
  const { id: supplier } = p.supplier
  const json = async (dialect: ServedName, action: string, parameters: Record<string, string> = {}) =>
    JSON.parse((await askerOf(p, dialect)(action, parameters)).text)
  const numbers = {
    union: {
      activationCost: 13,
      countryCode: 2,
      canGetAnotherSms: true,
      currency: 643,
      activationTime: '2026-03-01 12:00:00',
    },
    'sms-activate': {
      activationId: expect.any(Number),
      activationCost: 13,
      countryCode: '2',
      canGetAnotherSms: '1',
      activationTime: '2026-03-01 15:00:00',
    },
    'hero-sms': {
      activationId: expect.any(String),
      activationCost: 13,
      countryCode: 2,
      canGetAnotherSms: true,
      activationTime: '2026-03-01T12:00:00+00:00',
      activationEndTime: '2026-03-01T12:20:00+00:00',
      verificationType: 'sms',
      subtype: 1,
      serviceCode: 'tg',
    },
    grizzly: {
      activationId: expect.any(String),
      activationEnd: '2026-03-01 12:20:00',
      activationCancel: '2026-03-01 12:02:00',
    },
    smsbower: { activationId: expect.any(Number), activationCost: '13.00', countryCode: '2', canGetAnotherSms: 1 },
    smshub: { activationId: expect.any(String), activationCost: 13 },
  }
  for (const dialect of NAMES) expect(await json(dialect, 'getNumberV2', tg)).toMatchObject(numbers[dialect])
  const { id, phone } = await p.buy()
  await p.sms(phone, 'Telegram code: 48213')
  const sms = { dateTime: '2026-03-01 12:00:00', code: '48213', text: 'Telegram code: 48213' }
  const plain = { verificationType: 0, sms, call: null }
  const data = {
    id: expect.any(String),
    phoneFrom: 'Telegram',
    code: '48213',
    text: sms.text,
    service: 'tg',
    date: '2026-03-01T12:00:00+00:00',
    type: 'sms',
  }
  const statuses = {
    union: plain,
    'sms-activate': { ...plain, sms: { ...sms, dateTime: '2026-03-01 15:00:00' } },
    'hero-sms': { verificationType: 'sms', data, sms: { ...sms, dateTime: data.date }, call: null },
    grizzly: { ...plain, activationStatus: 1, sms: [sms] },
    smsbower: plain,
    smshub: plain,
  }
  const prices = { cost: 13, count: 100, physicalCount: 100 }
  const v3 = {
    price: 13,
    count: 100,
    providers: { [supplier]: { count: 100, price: [13], provider_id: supplier, delivery_percent: null } },
  }
  for (const dialect of NAMES) {
    expect([dialect, await json(dialect, 'getStatusV2', { id })]).toEqual([dialect, statuses[dialect]])
    const waits = servedDialect(dialect).openStatus
    const list = await json(dialect, 'getActiveActivations')
    expect(list.data.map(({ activationStatus }: { activationStatus: string }) => activationStatus)).toEqual([
      waits[1],
      ...Array(6).fill(waits[0]),
    ])
    const rows = { affected_rows: 7, num_rows: 7, row: [], rows: [] }
    expect(list.activeActivations).toEqual(
      dialect === 'hero-sms' ? rows : expect.arrayContaining([expect.objectContaining({ activationCost: '13.00' })]),
    )
    expect(await json(dialect, 'getPrices', tg)).toEqual({
      2: { tg: dialect === 'smshub' ? { '13.00': 100 } : prices },
    })
    expect(await json(dialect, 'getPricesV2', tg)).toEqual({ 2: { tg: { '13.00': 100 } } })
    expect(await json(dialect, 'getPricesV3', tg)).toEqual({
      2: { tg: dialect === 'smsbower' ? { [supplier]: { count: 100, price: 13, provider_id: supplier } } : v3 },
    })
    expect(await json(dialect, 'getNumbersStatus', { country: '2' })).toEqual(
      dialect === 'smshub' ? { tg_0: 100 } : { tg: '100' },
    )
    expect((await json(dialect, 'getCountries'))['2'].id).toBe(dialect === 'smsbower' ? '2' : 2)
    const top = await json(dialect, 'getTopCountriesByService', { service: 'tg' })
    expect(top).toMatchObject(
      dialect === 'smsbower' ? { kazakhstan: { [supplier]: { price: 13, count: 100 } } } : { 0: { country: 2 } },
    )
    const [past] = await json(dialect, 'getHistory')
    expect([dialect, past]).toEqual([
      dialect,
      expect.objectContaining({
        id: dialect === 'hero-sms' ? id : Number(id),
        sms: dialect === 'hero-sms' ? sms.text : [sms.text],
        date: dialect === 'sms-activate' ? '2026-03-01 15:00:00' : '2026-03-01 12:00:00',
        phone,
        cost: 13,
        status: '2',
        currency: 643,
      }),
    ])
  }
})

test('the address says the dialect, else the key, else the union answers; SMSHub’s own page is there without a key', async () => {
  await using p = await startProtocolTest()
  const { data, secret } = await call(
    p.t,
    'POST /api/v1/keys',
    { name: 'Hub', scopes: ['read', 'buy'], dialect: 'smshub' },
    p.buyer,
  )
  expect(data.dialect).toBe('smshub')
  const ask = async (address: string, more = '') =>
    (await p.t.fetch(`${address}?api_key=${secret}&action=getNumber&service=zzz${more}`)).text()
  expect(await ask('/stubs/handler_api.php')).toBe('WRONG_SERVICE')
  expect(await ask('/sms-activate/stubs/handler_api.php')).toBe('BAD_SERVICE')
  expect(await ask('/hero-sms//stubs/handler_api.php/')).toBe(invalid('service'))
  await call(p.t, 'PATCH /api/v1/keys/{id}', { id: data.id, dialect: null }, p.buyer)
  expect(await ask('/stubs/handler_api.php')).toBe('BAD_SERVICE')
  const posted = await p.t.fetch('/api.php?cat=scripts&act=manageActivations&asc=getListOfCountriesAndOperators', {
    method: 'POST',
  })
  expect(await posted.json()).toMatchObject({
    status: 'success',
    currentCountry: null,
    services: { tg: 'Telegram' },
    data: expect.arrayContaining([{ id: '2', name: 'Kazakhstan', operators: ['any', 'altel'] }]),
  })
  expect(await (await p.t.fetch('/api.php?action=getBalance&api_key=wrong')).text()).toBe('BAD_KEY')
  expect((await p.t.fetch('/nobody/stubs/handler_api.php')).status).toBe(404)
})

test('C-12: a pause is told in the time of the dialect', async () => {
  await using p = await startProtocolTest({ balance: '5000' })
  const until = new Date(p.t.clock.now().getTime() + 30 * MINUTE)
  await p.t.ctx.db.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES ($1, 'tg', 2, 30, 0, $2, $3)`,
    values: [p.buyer.id, p.t.clock.now(), until],
  })
  const said = { union: 'BANNED:2026-03-01 12-30-00', 'sms-activate': 'BANNED:2026-03-01 15-30-00' } as const
  for (const [dialect, text] of Object.entries(said))
    expect((await askerOf(p, dialect as ServedName)('getNumber', tg)).text).toBe(text)
  const info = { scope: 'specific', banned_until: until.getTime() / 1000, readable_date: '2026-03-01 12:30:00' }
  expect((await askerOf(p, 'hero-sms')('getNumber', tg)).text).toBe(envelope('BANNED', info))
})
