import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { startWebhooks } from '#server/core/webhooks/sending/send-due.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import { NODES } from '#server/house/news/news.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { beginFollowing, looksOf } from '#server/programs/boot/start-loops.ts'
import { followSuppliers } from '#server/programs/boot/start-suppliers.ts'
import { buyOne, count, pushSms, stateOf } from '#test/builders/activation-rows.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { INTAKE_KEY, openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { startNodes } from '#test/services/nodes.ts'
import { hook } from '#test/services/webhook-service.ts'

// No test here runs the looks of each second, so only news can make the other node work.
const program = requireProgram('redis-server')

function holds({ ctx }: TestApp, ...leases: string[]): void {
  nodeOf(ctx).leases = new Set(leases)
}

test.runIf(program)('a change at one node is sent to its program at once by the node that sends webhooks', async () => {
  await using nodes = await startNodes(program, { environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  await using receiver = await startReceiver()
  const { a, b, supplier } = nodes
  holds(a)
  holds(b, 'webhooks')
  await using stack = new AsyncDisposableStack()
  const sending = [a, b].map(({ ctx }) => startWebhooks(ctx))
  stack.defer(async () => {
    await Promise.all(sending.map((each) => each.stop()))
  })
  const buyer = await a.makeUser({ balance: '100.00' })
  await hook(a, buyer, { url: receiver.url })
  const told = () => receiver.events().map(({ type }) => type)
  const { id, phone } = await buyOne(a, buyer)
  await pushSms(a, supplier, { phone, messageId: '1' })
  await expect.poll(told, { timeout: 5_000 }).toEqual(['code.received'])
  const other = await buyOne(a, buyer)
  a.clock.advance(3 * MINUTE)
  await call(a, 'POST /api/v1/activations/{id}/cancel', { id: other.id }, buyer)
  await expect.poll(told, { timeout: 5_000 }).toHaveLength(2)
  expect(receiver.events().map(({ data }) => data.id)).toEqual([id, other.id])
})

test.runIf(program)('a sweep is done by the node that holds its lease, and by no other', async () => {
  await using nodes = await startNodes(program)
  const { a, b } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  const { id } = await buyOne(a, buyer)
  a.clock.advance(HOUR)
  holds(a)
  holds(b, 'sweeps')
  const sweep = async ({ ctx }: TestApp) => {
    const looks = looksOf(ctx, await beginFollowing(ctx))
    await looks.find(({ name }) => name === 'expiry')?.work()
  }
  await sweep(a)
  expect(await stateOf(a, id)).toBe('waiting')
  await sweep(b)
  expect(await stateOf(a, id)).toBe('expired')
})

test.runIf(program)('many changes at once are two news: one at once, and one after the last change', async () => {
  await using nodes = await startNodes(program)
  const { a } = nodes
  holds(a)
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const hear = (message: string) => heard.push((JSON.parse(message.replace(/^\d+ \S+ /, '')) as { kind: string }).kind)
  nodes.connect().subscribe(NODES, { hear, missed: resolve })
  await promise
  for (let changes = 0; changes < 100; changes += 1) wakeWebhooks(a.ctx)
  await expect.poll(() => heard).toEqual(['webhooks-due', 'webhooks-due'])
  tellNodes(a.ctx, { kind: 'keys-changed' })
  await expect.poll(() => heard).toEqual(['webhooks-due', 'webhooks-due', 'keys-changed'])
  // The node that sends webhooks tells nobody.
  holds(a, 'webhooks')
  wakeWebhooks(a.ctx)
  tellNodes(a.ctx, { kind: 'supply-changed' })
  await expect.poll(() => heard).toEqual(['webhooks-due', 'webhooks-due', 'keys-changed', 'supply-changed'])
})

/** Two nodes, of which A receives for a supplier that posts its messages. */
async function openIntake(kind: string) {
  const sender = SENDERS[kind]
  if (sender === undefined) throw new Error(`there is no sender ${kind}`)
  await using stack = new AsyncDisposableStack()
  const { a, b, supplier: fake } = stack.use(await startNodes(program))
  await suppliersOf(a.ctx).remove(fake.id)
  const house = await openWebhookHouse(a, sender)
  holds(a, `supplier ${house.supplier.id}`)
  holds(b)
  await followSuppliers(b.ctx)
  const running = stack.move()
  const send = ({ fetch }: TestApp, code: string, to: string) => {
    const message = { to, from: 'Telegram', text: `Telegram code: ${code}`, id: `m-${code}`, at: a.clock.now() }
    const { method, headers, body } = sender.post(message, { address: house.address, at: a.clock.now() })
    return fetch(`/intake/phones/${INTAKE_KEY}`, { method, headers, body: Buffer.from(body) })
  }
  return { a, b, house, send, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test.runIf(program)('a request that comes to another node than the receiving one is read at once', async () => {
  await using intake = await openIntake('androidSmsGateway')
  const { a, b, send } = intake
  const buyer = await a.makeUser({ balance: '100.00' })
  const { phone } = await buyOne(a, buyer)
  using page = await listen(b, buyer)
  for (const code of ['48213', '90210', '77001']) {
    expect((await send(b, code, phone)).status).toBe(200)
    expect((await page.next('NewCode')).message.code).toBe(code)
  }
})

// Android SMS Gateway's requests have a key of their own; Twilio's are told apart by the message's id alone.
test.runIf(program).each(['androidSmsGateway', 'twilio'])(
  '%s: requests that come to both nodes at once give one message each',
  async (kind) => {
    await using intake = await openIntake(kind)
    const { a, b, house, send } = intake
    const buyer = await a.makeUser({ balance: '100.00' })
    const { phone } = await buyOne(a, buyer)
    const codes = ['11111', '22222', '33333', '44444', '55555']
    const posted = codes.flatMap((code) => [send(a, code, phone), send(b, code, phone)])
    for (const { status } of await Promise.all(posted)) expect(status).toBe(200)
    await expect.poll(async () => Object.keys(await house.states()), { timeout: 5_000 }).toEqual(['processed'])
    expect(await count(a.ctx, 'messages')).toBe(codes.length)
    expect(await count(a.ctx, 'messages WHERE code IS NOT NULL')).toBe(codes.length)
  },
)
