import { expect, test } from 'vitest'
import { DAY, SECOND } from '#contract/time.ts'
import { verifyDelivery } from '#server/core/numbers/delivery/verify-delivery.ts'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import { readMessage } from '#server/core/numbers/messages/reading.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const read = async (t: TestApp, user: TestUser, id: number) =>
  (await call(t, 'GET /api/v1/activations/{id}', { id }, user)).data

async function expectAllRight(t: TestApp): Promise<void> {
  await expectBooksRight(t.ctx)
  expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
}

test('"not my code" gives the money back once, within the limits of used numbers, and staff are told of which message', async () => {
  await using t = await startTestApp({ config: { usedReports: { least: 1, percent: 0, inARow: 10 } } })
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '50.00' })
  const report = (id: number) =>
    t.fetch(`/api/v1/activations/${id}/not-my-code`, { method: 'POST', token: buyer.token })
  const first = await buyOne(t, buyer)
  expect(await (await report(first.id)).json()).toMatchObject({ code: 'NO_CODE_YET' })
  await pushSms(t, supplier, { phone: first.phone, sender: '+447900000001', text: 'Your code is 48213' })
  const said = await Promise.all([report(first.id), report(first.id), report(first.id)])
  expect(said.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await read(t, buyer, first.id)).toMatchObject({ state: 'finished', money: 'captured', refunded: '13.00' })
  expect(await transfersOf(t.ctx, first.id)).toEqual(['hold', 'capture', 'refund'])
  const { rows } = await t.ctx.db.query<{ body: string }>({
    text: 'SELECT m.body FROM used_reports r JOIN messages m ON m.id = r.message_id',
  })
  expect(rows).toEqual([{ body: 'Your code is 48213' }])
  const second = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: second.phone })
  expect(await (await report(second.id)).json()).toMatchObject({ code: 'TOO_MANY_REPORTS' })
  expect((await report(first.id)).status).toBe(200)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '37.00', held: '0.00' })
  await expectAllRight(t)
})

test('a report of the money back is no code between two reports: the limit in a row holds', async () => {
  await using t = await startTestApp({ config: { usedReports: { least: 10, percent: 0, inARow: 2 } } })
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const said: string[] = []
  for (let bought = 0; bought < 3; bought += 1) {
    const { id, phone } = await buyOne(t, buyer)
    await pushSms(t, supplier, { phone, sender: '+447900000001', text: `Your code is 4821${bought}` })
    const reply = await t.fetch(`/api/v1/activations/${id}/not-my-code`, { method: 'POST', token: buyer.token })
    said.push((await reply.json()).code ?? 'given back')
    t.clock.advance(SECOND)
  }
  expect(said).toEqual(['given back', 'given back', 'TOO_MANY_REPORTS'])
  await expectAllRight(t)
})

test('buyers who report a sender on several days mute what names nobody, and never a brand, a star or a known sender', async () => {
  await using t = await startTestApp({ config: { usedReports: { least: 100, percent: 100, inARow: 100 } } })
  const supplier = await t.addFake('other', [{ ...fakeOffer, serviceCode: 'ot' }])
  const reporters = await Promise.all(Array.from({ length: 5 }, () => t.makeUser({ balance: '900.00' })))
  t.clock.advance(8 * DAY)
  for (let day = 0; day < 3; day += 1) {
    for (const { id: userId } of reporters) {
      const session = await beginTestSession(t.ctx, userId)
      for (const sender of ['Acme Promo', '*e*', 'Telegram', 'Yandex Go']) {
        const { data } = await call(t, 'POST /api/v1/activations', { service_id: 'ot', country_id: 2 }, session)
        await pushSms(t, supplier, { phone: data.phone ?? '', sender, text: 'Your code is 48213' })
        await t.fetch(`/api/v1/activations/${data.id}/not-my-code`, { method: 'POST', token: session.token })
      }
    }
    t.clock.advance(DAY)
  }
  const { rows } = await t.ctx.db.query({ text: `SELECT sender FROM ignored_senders WHERE source = 'learnt'` })
  expect(rows).toEqual([{ sender: 'acme promo' }])
  await loadSenders(t.ctx)
  const of = (text: string) => readMessage(senderBookOf(t.ctx), { sender: 'Acme Promo', text, phone: '' }).naming.kind
  expect([of('Your code is 48213'), of('Your Telegram code: 48213')]).toEqual(['operator', 'named'])
})
