import { expect, test } from 'vitest'
import { PROTOCOLS, type ProtocolName } from '#contract/calls/reference-calls.ts'
import { MINUTE } from '#contract/time.ts'
import { sendDue } from '#server/core/webhooks/sending/send-due.ts'
import { describeProtocol } from '#server/surfaces/site/reference/protocols/describe-protocol.ts'
import { buyOne, chargeByAdvert, pushSms } from '#test/builders/activation-rows.ts'
import { topUp } from '#test/builders/money/top-ups.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { hook } from '#test/services/webhook-service.ts'
import { expectRecorded, withLines } from './recorded-replies.ts'

type Replies = Record<string, string>

test('every part of the pages of protocols shows a reply of the running service', async () => {
  const replies: Record<ProtocolName, Replies> = {
    'handler-api': await recordHandlerApi(),
    'five-sim': await recordFiveSim(),
    webhooks: await recordWebhooks(),
    live: await recordLive(),
  }
  for (const name of PROTOCOLS) {
    const parts = describeProtocol(name, 'en').data.parts.filter(({ program }) => program === null)
    expect([name, Object.keys(replies[name]).sort()]).toEqual([name, parts.map(({ id }) => id).sort()])
  }
  await expectRecorded('protocols/replies.json', replies)
})

async function recordHandlerApi(): Promise<Replies> {
  await using shop = await openShop()
  const { ask, replies, sms, t } = shop
  const setStatus = (part: string, id: string, status: string) => ask(part, { '=id': id, '=status': status })
  await ask('getBalance')
  await ask('getPrices')
  const [, id = '', phone = ''] = (await ask('getNumber')).split(':')
  const second = JSON.parse(await ask('getNumberV2')) as { activationId: string }
  await sms(phone)
  await ask('getStatus', { '=id': id })
  await ask('getStatusV2', { '=id': id })
  await ask('getActiveActivations')
  await setStatus('again', id, '3')
  await setStatus('finish', id, '6')
  t.clock.advance(3 * MINUTE)
  await setStatus('cancel', second.activationId, '8')
  const rent = JSON.parse(await ask('getRentNumber')) as { activationId: string; phoneNumber: string }
  await sms(rent.phoneNumber)
  await ask('getRentStatus', { '=id': rent.activationId })
  return replies
}

async function recordFiveSim(): Promise<Replies> {
  await using shop = await openShop('five-sim')
  const { ask, replies, sms, t } = shop
  await ask('prices')
  const bought = async () => JSON.parse(await ask('buy')) as { id: number; phone: string }
  const [first, cancelled, banned] = [await bought(), await bought(), await bought()]
  await sms(first.phone.slice(1))
  await ask('check', { '100000001': first.id })
  await ask('finish', { '100000001': first.id })
  await ask('reuse', { '77050200001': first.phone.slice(1) })
  t.clock.advance(3 * MINUTE)
  await ask('cancel', { '100000001': cancelled.id })
  await ask('ban', { '100000001': banned.id })
  const hosting = JSON.parse(await ask('hosting')) as { id: number; phone: string }
  await sms(hosting.phone.slice(1))
  await ask('inbox', { '500000001': hosting.id })
  await ask('orders')
  await ask('profile')
  return replies
}

/** Opens a shop whose buyer makes the requests of a protocol's page, with values in place of those of the examples. */
async function openShop(name: ProtocolName = 'handler-api') {
  const t = await startTestApp()
  const supplier = await t.addFake('fake', undefined, fakeRentOffers)
  supplier.repeats = true
  const key = await t.makeApiKey(await t.makeUser({ balance: '5000.00' }))
  const replies: Replies = {}
  const { parts } = describeProtocol(name, 'en').data
  async function ask(id: string, values: Record<string, string | number> = {}): Promise<string> {
    const request = parts.find((part) => part.id === id)?.request
    if (request == null) throw new Error(`${name} has no request ${id}`)
    const address = Object.entries(values).reduce(withValue, request.address)
    const reply = await t.fetch(address.replace('{key}', key), { token: key })
    const text = await reply.text()
    expect([id, reply.status, text]).toEqual([id, 200, expect.stringMatching(/^([[{]|[A-Z_]+$|[A-Z]+_[A-Z]+:)/)])
    replies[id] ??= withLines(text)
    return text
  }
  return {
    t,
    ask,
    replies,
    sms: (phone: string) => pushSms(t, supplier, { phone }),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}

/** `=id` is the parameter `id` of an address; any other name is a value that stands in the path. */
function withValue(address: string, [name, value]: [string, string | number]): string {
  if (!name.startsWith('=')) return address.replace(name, String(value))
  return address.replace(new RegExp(`([?&]${name.slice(1)}=)[^&]*`), `$1${value}`)
}

async function recordWebhooks(): Promise<Replies> {
  await using t = await startTestApp({ environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  await using receiver = await startReceiver()
  const supplier = await t.addFake('fake', undefined, fakeRentOffers)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const wish = { label: 'Shop', url: 'https://shop.example/hook', events: ['code.received', 'order.refunded'] as const }
  const added = await call(t, 'POST /api/v1/webhooks', { ...wish, events: [...wish.events] }, buyer)
  await call(t, 'DELETE /api/v1/webhooks/{id}', { id: added.data.id }, buyer)
  const { id } = await hook(t, buyer, { url: receiver.url })
  await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, buyer)
  const first = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: first.phone })
  await chargeByAdvert(t, first.id)
  await call(t, 'POST /api/v1/activations/{id}/not-my-code', { id: first.id }, buyer)
  const second = await buyOne(t, buyer)
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: second.id }, buyer)
  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: (await rentOne(t, buyer)).id }, buyer)
  await untilSent(t)
  const events = Object.fromEntries(
    receiver.received.map(({ body }) => [(JSON.parse(body) as { type: string }).type, body]),
  )
  receiver.received.length = 0
  const field = await hook(t, buyer, { url: receiver.url, form: 'field' })
  await call(t, 'PATCH /api/v1/webhooks/{id}', { id, on: false }, buyer)
  const third = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: third.phone })
  await untilSent(t)
  expect([field.form, receiver.received.length]).toEqual(['field', 1])
  const bodies = { ...events, field: receiver.received[0]?.body ?? '' }
  const answers = { add: JSON.stringify(added), ...bodies }
  return Object.fromEntries(Object.entries(answers).map(([name, text]) => [name, withLines(text)]))
}

async function untilSent(t: TestApp): Promise<void> {
  for (let round = 0; round < 5; round += 1) await sendDue(t.ctx)
  await t.ctx.background.idle()
}

async function recordLive(): Promise<Replies> {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const gateway = await addFakeGateway(t)
  const user = await t.makeUser({ balance: '100.00' })
  using tab = await listen(t, { ...user, token: await t.makeApiKey(user) })
  const { phone } = await buyOne(t, user)
  const changed = await tab.next('ActivationChanged')
  await pushSms(t, supplier, { phone })
  const code = await tab.next('NewCode')
  await topUp(t, gateway, user, '500.00')
  const topped = await tab.next('BalanceTopup')
  const events = { NewCode: code, ActivationChanged: changed, BalanceTopup: topped }
  return Object.fromEntries(Object.entries(events).map(([name, event]) => [name, JSON.stringify(event, null, 2)]))
}
