import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { rawRequest } from '#test/harness/raw-request.ts'
import { type ProtocolTest, startProtocolTest } from '#test/services/handler-api-service.ts'

/** The schemas decode like the clients' languages: without type conversion or unknown fields, and Go ignores null. */
const int = z.number().int()
const goText = z.string().nullable()
/** The type json.Number of Go, which accepts a number or a text with a number. */
const goNumber = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])

const BARE_GO = { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' }
const GO_THAT_ACCEPTS = { ...BARE_GO, accept: 'application/json, text/plain' }
const RUST = { accept: '*/*' }
const AXIOS = { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1.7.2' }
const SWIFT = { accept: '*/*', 'user-agent': 'App/1 CFNetwork/1494 Darwin/23.4.0' }
const DOTNET = {}

const numberOfText = {
  activationId: z.string(),
  phoneNumber: z.string(),
  activationCost: z.string(),
  countryCode: z.string(),
  canGetAnotherSms: z.boolean(),
  activationTime: z.string(),
  activationOperator: z.string(),
}
const numberOfHeroSms = {
  ...numberOfText,
  activationCost: z.number(),
  currency: int,
  countryCode: int,
  countryPhoneCode: int,
  activationEndTime: z.string(),
}
const itemOfText = {
  activationId: z.string(),
  serviceCode: z.string(),
  phoneNumber: z.string(),
  activationCost: z.string(),
  activationStatus: z.string(),
  activationTime: z.string(),
  discount: z.string(),
  repeated: z.string(),
  countryCode: z.string(),
  countryName: z.string(),
  canGetAnotherSms: z.string(),
}
const country = { id: int, rus: z.string(), eng: z.string(), chn: z.string(), visible: int, retry: int }
const topCountry = { country: int, count: int, price: z.number(), retail_price: z.number() }
const operators = z.object({ status: z.string(), countryOperators: z.record(z.string(), z.array(z.string())) })
const prices = z.record(z.string(), z.record(z.string(), z.object({ cost: z.number(), count: int })))
const smsOrCall = z.object({
  sms: z.object({ dateTime: z.string(), code: z.string(), text: z.string() }).nullable(),
  call: z.null(),
})

type Client = { name: string; headers: Record<string, string>; replies: Record<string, z.ZodType> }

/** The fields and types that each client declares, with sources in docs/api/handler_api.md. */
const clients: Client[] = [
  {
    name: 'Go: robin-samuel/smsactivate',
    headers: BARE_GO,
    replies: { getNumberV2: z.object({ ...numberOfText, status: z.string(), activationEndTime: z.string() }) },
  },
  {
    name: 'Go: solodecode/sms-activate-go',
    headers: BARE_GO,
    replies: {
      getNumberV2: z.object(numberOfText),
      getActiveActivations: z.object({
        activeActivations: z.array(z.object({ ...itemOfText, smsCode: goText, smsText: goText })),
      }),
      getCountries: z.record(z.string(), z.object({ ...country, rent: int, multiService: int })),
      getPrices: prices,
      getTopCountriesByService: z.record(z.string(), z.object(topCountry)),
      getNumbersStatus: z.record(z.string(), z.string()),
      getOperators: operators,
    },
  },
  {
    name: 'Go, for HeroSMS, with json.Number',
    headers: GO_THAT_ACCEPTS,
    replies: {
      getNumberV2: z.object({
        activationId: goNumber,
        phoneNumber: z.string(),
        activationCost: goNumber,
        countryCode: int,
        canGetAnotherSms: z.boolean(),
        activationTime: z.string(),
        activationEndTime: z.string(),
        activationOperator: z.string(),
      }),
      getStatusV2: smsOrCall,
      getPrices: prices,
    },
  },
  {
    name: 'Rust: sms_solvers',
    headers: RUST,
    replies: { getNumberV2: z.object(numberOfHeroSms), getStatusV2: smsOrCall },
  },
  {
    name: 'TypeScript: npm hero-sms, as its types say',
    headers: AXIOS,
    replies: {
      getNumberV2: z.object(numberOfHeroSms),
      getActiveActivations: z.object({
        status: z.string(),
        data: z.array(
          z.object({
            ...itemOfText,
            activationCost: z.number(),
            smsCode: z.string().nullable(),
            smsText: z.string().nullable(),
          }),
        ),
      }),
      getCountries: z.record(z.string(), z.object(country)),
      getPrices: prices,
      getTopCountriesByService: z.record(
        z.string(),
        z.object({ ...topCountry, physicalTotalCount: int, physicalPriceMap: z.record(z.string(), int) }),
      ),
      getServicesList: z.object({
        status: z.literal('success'),
        services: z.array(z.object({ code: z.string(), name: z.string() })),
      }),
      getOperators: operators,
    },
  },
  {
    name: 'TypeScript: a zod schema for GrizzlySMS',
    headers: { accept: '*/*', 'user-agent': 'node' },
    replies: {
      getNumberV2: z.object({
        activationId: z.union([z.string(), z.number()]),
        phoneNumber: z.union([z.string(), z.number()]),
        activationCost: z.union([z.string(), z.number()]).optional(),
        canGetAnotherSms: z.union([z.string(), z.number(), z.boolean()]).optional(),
        activationTime: z.string().optional(),
      }),
      getStatusV2: smsOrCall,
    },
  },
  {
    name: 'Swift: DeveloperZelentsov/SMSActivateAPI',
    headers: SWIFT,
    replies: {
      getActiveActivations: z.object({
        activeActivations: z.array(
          z.object({ ...itemOfText, smsCode: z.string().nullable(), smsText: z.string().nullable() }),
        ),
      }),
    },
  },
  {
    // Newtonsoft converts numbers to text, but no text to a boolean.
    name: 'C#: Vednix/SMSActivate-Net',
    headers: DOTNET,
    replies: {
      getNumberV2: z.object({
        activationId: z.union([z.string(), z.number()]),
        activationCost: z.union([z.string(), z.number()]),
        countryCode: z.union([z.string(), z.number()]),
        canGetAnotherSms: z.boolean(),
      }),
      getActiveActivations: z.object({
        activeActivations: z.array(z.object({ ...itemOfText, smsCode: goText, smsText: goText })),
      }),
    },
  },
]

const tg = { service: 'tg', country: '2' }
const PARAMETERS: Record<string, Record<string, string>> = {
  getNumberV2: tg,
  getPrices: tg,
  getTopCountriesByService: { service: 'tg' },
  getNumbersStatus: { country: '2' },
}

test('C-1, C-4: the typed clients decode every reply that they read', async () => {
  await using p = await startProtocolTest({ balance: '500' })
  const waiting = await p.buy()
  const received = await p.buy()
  await p.sms(received.phone, 'Telegram code: 48213')
  const decoded: string[] = []
  for (const { name, headers, replies } of clients) {
    for (const [action, schema] of Object.entries(replies)) {
      const ids = action === 'getStatusV2' ? [waiting.id, received.id] : [undefined]
      for (const id of ids) {
        const parameters = { ...PARAMETERS[action], action, ...(id !== undefined && { id }) }
        const { error } = schema.safeParse(JSON.parse(await askAs(p, headers, parameters)))
        expect({ name, action, wrong: error?.issues }).toEqual({ name, action, wrong: undefined })
      }
      decoded.push(action)
    }
  }
  expect(new Set(decoded).size).toBe(9)
})

test('C-1: ids of one activation are the same text in every reply', async () => {
  await using p = await startProtocolTest()
  const bought = JSON.parse(await p.ask('getNumberV2', tg))
  const { activeActivations, data } = JSON.parse(await p.ask('getActiveActivations'))
  expect([activeActivations[0].activationId, data[0].activationId]).toEqual([bought.activationId, bought.activationId])
  expect(bought.activationId).toMatch(/^\d+$/)
})

test('C-3: canGetAnotherSms is true where status 3 works, whatever the country, and false where it cannot', async () => {
  await using p = await startProtocolTest()
  const row = catalogOf(p.t.ctx).countries.get(2)
  if (row === undefined) throw new Error('the seed has no country 2')
  row.retry = false
  const bought = JSON.parse(await p.ask('getNumberV2', tg))
  await p.sms(bought.phoneNumber, 'Telegram code: 48213')
  const shown = async () => JSON.parse(await p.ask('getActiveActivations')).data[0].canGetAnotherSms
  expect([bought.canGetAnotherSms, await shown()]).toEqual([true, '1'])
  expect(await p.ask('setStatus', { id: bought.activationId, status: '3' })).toBe('ACCESS_RETRY_GET')
  await p.sms(bought.phoneNumber, 'Telegram code: 55555')
  await suppliersOf(p.t.ctx).remove(p.supplier.id)
  expect(await shown()).toBe('0')
  expect(await p.ask('setStatus', { id: bought.activationId, status: '3' })).toBe('BAD_STATUS')
})

async function askAs({ t, key }: ProtocolTest, headers: Record<string, string>, parameters: Record<string, string>) {
  const query = new URLSearchParams({ api_key: key, ...parameters })
  const reply = await rawRequest(t.app, { path: `/stubs/handler_api.php?${query}`, headers })
  return reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.rawPayload).toString() : reply.body
}
