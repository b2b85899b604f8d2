import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const PROGRAM = 'clients/mcp/dist/mcp/src/main.js'
const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
})

beforeAll(() => promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'clients/mcp']))

async function open(t: TestApp, key: string) {
  const client = new Client({ name: 'test', version: '1' })
  const env = { RINGPOST_SITE: t.url, RINGPOST_KEY: key }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env }))
  return {
    client,
    async use(name: string, input: Record<string, unknown> = {}) {
      const { isError = false, content } = resultSchema.parse(await client.callTool({ name, arguments: input }))
      const text = content[0]?.text ?? ''
      return { isError, said: isError && !text.startsWith('{') ? text : (JSON.parse(text) as unknown) }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

test('a model finds a service, buys within its limits, reads the code and gives back what had none', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  await using mcp = await open(t, await t.makeApiKey(buyer))
  const { tools } = await mcp.client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'ask_another_code',
    'buy_number',
    'cancel_number',
    'find_countries',
    'find_services',
    'finish_number',
    'get_balance',
    'get_price',
    'list_history',
    'open_notice',
    'report_not_my_code',
    'wait_for_code',
  ])
  expect(await mcp.use('find_services', { search: 'telegram' })).toMatchObject({ said: [{ id: 'tg', price: '13.00' }] })
  expect(await mcp.use('find_countries', { service: 'tg' })).toMatchObject({ said: [{ id: 2, price: '13.00' }] })
  const kind = { service: 'tg', country: 2 }
  expect(await mcp.use('get_price', kind)).toMatchObject({ said: { price: '13.00', currency: 'rub' } })
  expect(await mcp.use('buy_number', { ...kind, max_price: '12.99' })).toEqual({
    isError: true,
    said: { code: 'MAX_PRICE_TOO_LOW', message: expect.any(String), errors: {}, data: { lowest: '13.00' } },
  })
  const order = { ...kind, max_price: '13', order: 'order-0001' }
  const { said } = await mcp.use('buy_number', order)
  const number = z.object({ id: z.number(), phone: z.string(), state: z.literal('waiting') }).parse(said)
  expect(await mcp.use('buy_number', order)).toMatchObject({ said: { id: number.id } })
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [buyer.id])).toBe(1)

  const waiting = mcp.use('wait_for_code', { id: number.id, seconds: 60 })
  await expect.poll(async () => (await t.ctx.metrics.waitingCalls.get()).values[0]?.value).toBe(1)
  await pushSms(t, supplier, { phone: number.phone })
  expect(await waiting).toMatchObject({ said: { state: 'received', code: '48213' } })
  expect(await mcp.use('ask_another_code', { id: number.id })).toMatchObject({ said: { state: 'waiting_again' } })
  expect(await mcp.use('finish_number', { id: number.id })).toMatchObject({ said: { state: 'finished' } })
  expect(await mcp.use('get_balance')).toEqual({
    isError: false,
    said: { balance: '87.00', held: '0.00', currency: 'rub' },
  })

  const second = z.object({ id: z.number() }).parse((await mcp.use('buy_number', { ...kind, max_price: '13' })).said)
  expect(await mcp.use('cancel_number', second)).toMatchObject({ isError: true, said: { code: 'EARLY_CANCEL_DENIED' } })
  t.clock.advance(121_000)
  expect(await mcp.use('cancel_number', second)).toMatchObject({ said: { state: 'cancelled' } })
  expect(await mcp.use('list_history', { limit: 5 })).toMatchObject({ said: [{ id: second.id }, { id: number.id }] })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('OP-1: a notice is seen closed and opened for the price, and what is no code of the service is reported', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  await using mcp = await open(t, await t.makeApiKey(buyer))
  const order = { service: 'tg', country: 2, max_price: '13' }
  const buy = async () =>
    z.object({ id: z.number(), phone: z.string() }).parse((await mcp.use('buy_number', order)).said)
  const one = await buy()
  expect(await mcp.use('open_notice', { id: one.id })).toMatchObject({ isError: true, said: { code: 'NO_NOTICE' } })
  await pushSms(t, supplier, { phone: one.phone, text: 'New sign-in to Telegram from Chrome' })
  const closed = { state: 'waiting', messages: [{ text: '', notice: true, withheld: true }] }
  expect(await mcp.use('wait_for_code', { id: one.id, seconds: 0 })).toMatchObject({ said: closed })
  const opened = { state: 'received', messages: [{ text: 'New sign-in to Telegram from Chrome' }] }
  expect(await mcp.use('open_notice', { id: one.id })).toMatchObject({ said: opened })
  const two = await buy()
  await pushSms(t, supplier, { phone: two.phone, sender: '+447900000001', text: 'Your code is 48213' })
  expect(await mcp.use('report_not_my_code', { id: two.id })).toMatchObject({ said: { state: 'finished' } })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('the limits of the key hold, whatever the model asks for', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const session = { token: buyer.token }
  const made = await call(t, 'POST /api/v1/keys', { name: 'model', scopes: ['read', 'buy'], day_limit: '20' }, session)
  await using mcp = await open(t, made.secret)
  const order = { service: 'tg', country: 2, max_price: '50' }
  expect(await mcp.use('buy_number', order)).toMatchObject({ isError: false })
  expect(await mcp.use('buy_number', order)).toMatchObject({ isError: true, said: { code: 'SPEND_LIMIT_REACHED' } })
  expect(await mcp.use('wait_for_code', { id: 4_242_424, seconds: 1 })).toMatchObject({ said: { code: 'NOT_FOUND' } })
  // The SDK itself refuses this input, so the server never gets it.
  expect(await mcp.use('wait_for_code', { id: 1, seconds: 900 })).toMatchObject({ isError: true })

  await call(t, 'DELETE /api/v1/keys/{id}', { id: made.data.id }, session)
  expect(await mcp.use('get_balance')).toMatchObject({ isError: true, said: { code: 'UNAUTHENTICATED' } })
})
