import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { connectPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createSmppSupplier, type SmppSupplier } from './smpp-supplier.ts'

const PHONE = '77051234567'
const SETTINGS = {
  mode: 'server',
  currency: 'rub',
  listen: { port: 0 },
  peers: [{ systemId: 'bank', password: 'secret' }],
  services: [{ code: 'tg', cost: '10' }],
}
const ROW = { code: 'range', kind: 'smpp', settings: SETTINGS }

async function sellOne(t: TestApp) {
  const made: SmppSupplier[] = []
  const make: typeof createSmppSupplier = (ctx, row) => {
    const supplier = createSmppSupplier(ctx, row)
    made.push(supplier)
    return supplier
  }
  const { id: supplierId } = await t.addReal(make, ROW)
  const start = async () => {
    await suppliersOf(t.ctx).remove(supplierId)
    await suppliersOf(t.ctx).add(make(t.ctx, { ...ROW, id: supplierId }))
  }
  const bind = async () => {
    const peer = await connectPeer(made.at(-1)?.port ?? 0)
    await peer.request('bind_transmitter', { system_id: 'bank', password: 'secret' })
    return peer
  }
  // No number is sold while the link is down, so the gateway binds first.
  const first = await bind()
  await addNumbers(t.ctx.db, supplierId, [{ phone: PHONE, countryId: 2, operator: 'altel' }])
  for (const supplier of suppliersOf(t.ctx).all()) await refreshOffers(t.ctx, supplier)
  const { token } = await t.makeUser()
  const { data } = await call(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })
  const again = () => call(t, 'POST /api/v1/activations/{id}/again', { id: data.id }, { token })
  return { first, bind, again, start }
}

const sms = (code: string) => ({
  source_addr: 'Telegram',
  destination_addr: PHONE,
  short_message: Buffer.from(`Telegram code ${code}`),
})

async function bodies(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  return rows.map(({ body }) => body.replace('Telegram code ', ''))
}

// R-J: a message resent more than ten seconds after its first arrival was stored twice.
test('R-J: what is sent again after its session broke off is the same message, however late; the same words later are not', async () => {
  await using t = await startTestApp()
  const { first, bind, again } = await sellOne(t)
  // The start was long ago, so only the broken session shows that the message is a repeat.
  t.clock.advance(6 * MINUTE)
  await using _ = first
  expect(await first.request('submit_sm', sms('11111'))).toMatchObject({ status: 0 })
  // The connection is cut before the peer reads the answer.
  const cut = t.log.next('an SMPP session ended')
  first.socket.resetAndDestroy()
  await cut
  t.clock.advance(90 * SECOND)
  await using second = await bind()
  expect(await second.request('submit_sm', sms('11111'))).toMatchObject({ status: 0 })
  expect(await bodies(t)).toEqual(['11111'])

  // Equal texts are two messages in an unbroken session, and in any session after a request for another code.
  expect(await second.request('submit_sm', sms('22222'))).toMatchObject({ status: 0 })
  t.clock.advance(11 * SECOND)
  expect(await second.request('submit_sm', sms('22222'))).toMatchObject({ status: 0 })
  expect(await bodies(t)).toEqual(['11111', '22222', '22222'])
  t.clock.advance(1)
  await again()
  const cutAgain = t.log.next('an SMPP session ended')
  second.socket.resetAndDestroy()
  await cutAgain
  await using third = await bind()
  expect(await third.request('submit_sm', sms('22222'))).toMatchObject({ status: 0 })
  expect(await bodies(t)).toEqual(['11111', '22222', '22222', '22222'])
  await expectBooksRight(t.ctx)
})

test('R-J: after a restart what was stored before it is known again; a farewell loses no answer', async () => {
  await using t = await startTestApp()
  const { first, bind, start } = await sellOne(t)
  await using _ = first
  expect(await first.request('submit_sm', sms('11111'))).toMatchObject({ status: 0 })
  t.clock.advance(30 * SECOND)
  await start()
  t.clock.advance(MINUTE)
  await using second = await bind()
  expect(await second.request('submit_sm', sms('11111'))).toMatchObject({ status: 0 })
  expect(await bodies(t)).toEqual(['11111'])

  t.clock.advance(6 * MINUTE)
  expect(await second.request('submit_sm', sms('33333'))).toMatchObject({ status: 0 })
  await second.request('unbind')
  await second.closed
  t.clock.advance(11 * SECOND)
  await using third = await bind()
  expect(await third.request('submit_sm', sms('33333'))).toMatchObject({ status: 0 })
  expect(await bodies(t)).toEqual(['11111', '33333', '33333'])
})
