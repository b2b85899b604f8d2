import { expect, test } from 'vitest'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

test('17.8: what was stored while its answer was lost is told of, and wakes who waits, when it comes again', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  using live = await listen(t, buyer)
  const query = t.ctx.db.query.bind(t.ctx.db)
  for (const messageId of ['sms-7', undefined]) {
    const { id, phone } = await buyOne(t, buyer)
    const waits = t.fetch(`/api/v1/activations/${id}?wait=30`, { token: buyer.token })
    await expect.poll(async () => (await t.ctx.metrics.waitingCalls.get()).values[0]?.value).toBe(1)
    t.ctx.db.query = async (given) => {
      const answer = await query(given)
      if (given.name !== 'activation-store-sms-for-only-holder') return answer as never
      t.ctx.db.query = query
      throw new Error('Query read timeout')
    }
    const text = `Telegram code: ${10_000 + (id % 10_000)}`
    const push = { phone, text, ...(messageId !== undefined && { messageId }) }
    await expect(pushSms(t, supplier, push)).rejects.toThrow('Query read timeout')
    await Promise.all([pushSms(t, supplier, push), pushSms(t, supplier, push)])
    const { record, message } = await live.next('NewCode')
    expect([record.id, record.state, message.text]).toEqual([id, 'received', text])
    expect(await (await waits).json()).toMatchObject({ data: { id, state: 'received' } })
  }
  const last = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: last.phone, text: 'Telegram code: 54321' })
  expect((await live.next('NewCode')).message.code).toBe('54321')
  expect(await count(t.ctx, 'messages')).toBe(3)
})
