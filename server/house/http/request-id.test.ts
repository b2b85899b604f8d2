import { expect, test } from 'vitest'
import { followMoney } from '#server/programs/boot/follow-money.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

type Line = Record<string, unknown>

function linesOf(t: TestApp, sentence: string): Line[] {
  return t.log.lines.flatMap((line) =>
    line.level === 'info' && line.sentence === sentence ? [{ ...(line.fields as Line) }] : [],
  )
}

async function buyByProgram(t: TestApp, buyer: TestUser): Promise<Response> {
  const key = await t.makeApiKey(buyer)
  return t.fetch('/stubs/handler_api.php?action=getNumber&service=tg&country=2', {
    headers: { authorization: `Bearer ${key}` },
  })
}

test('a sale is one line in the log, with the request id of its reply; by handler_api as well', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const wanted = { service_id: 'tg', country_id: 2 }
  const { response: bought } = await send(t, 'POST /api/v1/activations', wanted, {
    token: buyer.token,
    headers: { 'x-request-id': 'theirs' },
  })
  const program = await buyByProgram(t, buyer)
  const ids = [bought, program].map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  const lines = linesOf(t, 'a number was sold')
  expect(lines.map(({ requestId }) => requestId)).toEqual(ids)
  expect(lines[0]).toEqual({
    requestId: ids[0],
    order: 'activation:100000001',
    userId: buyer.id,
    service: 'tg',
    countryId: 2,
    operator: 'altel',
    supplier: 'fake',
    price: '13.00',
    currency: 'rub',
    cost: '10.00',
    phone: expect.stringMatching(/^\d{4}\*{3}\d{4}$/),
  })
  const { response: refused } = await send(
    t,
    'POST /api/v1/activations',
    { service_id: 'zzz', country_id: 2 },
    { token: buyer.token },
  )
  expect(refused.status).not.toBe(200)
  expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const wrongKey = await t.fetch('/stubs/handler_api.php?action=getBalance&api_key=wrong')
  expect(wrongKey.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(linesOf(t, 'a number was sold')).toHaveLength(2)
})

test('a message is one line with an id of its own, without text, code, sender and whole phone', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, sender: 'Telegram', text: 'Telegram code: 24680' })
  await pushSms(t, supplier, { phone: '79990000001', sender: '+79261112233', text: 'Telegram code: 13579' })
  const lines = linesOf(t, 'a message came')
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)
  expect(lines).toMatchObject([
    { requestId, supplier: 'fake', result: 'only-holder', order: `activation:${id}` },
    { requestId, supplier: 'fake', result: 'unmatched', order: null, phone: '7999***0001' },
  ])
  expect(lines[0]?.requestId).not.toBe(lines[1]?.requestId)
  const log = JSON.stringify(t.log.lines)
  for (const secret of ['24680', '13579', phone, '79990000001', '9261112233', 'code:'])
    expect(log).not.toContain(secret)
})

test('a credit and a block are one line each, with the id that the command told', async () => {
  await using t = await startTestApp()
  await t.makeUser({ email: 'anna@example.test' })
  const look = await followMoney(t.ctx)
  const type = async (...argv: string[]) => {
    const { out } = await typed(t.database, ...argv, ...WHY, '--json')
    return (JSON.parse(out) as { request_id: string | null }).request_id
  }
  const ids = [
    await type('user:credit', 'anna@example.test', '12.50', '--key', 'gift'),
    await type('user:block', 'anna@example.test'),
  ]
  expect(await type('user:block', 'anna@example.test')).toBeNull()
  await look()
  await look()
  expect(linesOf(t, 'staff changed something')).toEqual([
    { requestId: ids[0], by: 'anna', command: 'user:credit', subject: 'user:1', amount: '12.50', currency: 'rub' },
    { requestId: ids[1], by: 'anna', command: 'user:block', subject: 'user:1' },
  ])
})
