import { expect, test } from 'vitest'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const SUCCESS = { http: 200, said: '{"status":"SUCCESS"}' }

async function messagesOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT phone || ' ' || sender || ' ' || body || ' ' || given AS line FROM messages ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

test('a number of a SIM bank: bought, its code pushed, the end told until the bank says SUCCESS', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  expect(bank.house.asked.at(-1)).toEqual({
    ...{
      action: 'GET_NUMBER',
      key: 'a-protocol-key-of-tests',
      country: 'kazakhstan',
      operator: 'altel',
      service: 'tg',
    },
    ...{ sum: 5, currency: 643 },
  })
  expect(await bank.push({ phone: Number(phone) })).toEqual(SUCCESS)
  expect(await messagesOf(t)).toEqual([`${phone} Telegram Telegram code: 48213 named`])
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  bank.house.onAsk = (action) => (action === 'FINISH_ACTIVATION' ? { cut: true } : undefined)
  await t.runJobs()
  bank.house.onAsk = (action, _body, honest) => {
    if (action !== 'FINISH_ACTIVATION') return undefined
    honest()
    return { cut: true }
  }
  await t.hurryJobs()
  bank.house.onAsk = () => undefined
  await t.hurryJobs()
  await t.hurryJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[3, 3]])
  expect(bank.house.complaints).toEqual([])
  await expectBooksRight(t.ctx)
})
