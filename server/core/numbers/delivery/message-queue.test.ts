import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { claimLeft } from '#server/programs/boot/recover-left.ts'
import { buyOne, count, expectBooksRight, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { WAITING_SESSIONS } from '#test/builders/held-row.ts'
import { addRenting, readRental, rentOne } from '#test/builders/rental-rows.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createMessageQueue, messageQueueOf } from './message-queue.ts'
import { verifyDelivery } from './verify-delivery.ts'

const JUNK = 20

/**
 * Sends junk messages that PostgreSQL blocks until `end`, because another connection is storing the same message ids.
 */
async function sendHeldJunk(t: TestApp, supplier: FakeSupplier) {
  const { client, ...own } = await openConnection(t.database.connectionString, 'holds junk')
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, received_at)
      SELECT $1, 'junk-' || n, '79000000000', 'Junk', 'Win', now() FROM generate_series(0, $2 - 1) n`,
    [supplier.id, JUNK],
  )
  const waiting = () => count(t.ctx, WAITING_SESSIONS)
  const junk = Array.from({ length: JUNK }, (_, n) =>
    pushSms(t, supplier, {
      phone: String(79_000_000_001 + n),
      sender: 'Junk',
      text: `Win ${n}`,
      messageId: `junk-${n}`,
    }),
  )
  await expect.poll(waiting).toBe(3)
  return {
    async end() {
      expect(await waiting()).toBe(3)
      await client.query('ROLLBACK')
      await Promise.all(junk)
      expect(await count(t.ctx, `messages WHERE sender = 'Junk' AND given = 'unmatched'`)).toBe(JUNK)
      await expectBooksRight(t.ctx)
      expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
    },
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  }
}

test('H-5: junk has three connections at most: a code for a number that somebody has passes it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const { id, phone } = await buyOne(t, await t.makeUser({ balance: '20.00' }))
  await using junk = await sendHeldJunk(t, supplier)
  await pushSms(t, supplier, { phone })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  await junk.end()
})

test('H-5: a code that is faster than the purchase of its number waits with the junk until that is settled, no longer', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  await using junk = await sendHeldJunk(t, supplier)
  const early: Promise<void>[] = []
  supplier.onBuy = async (order) => {
    const number = supplier.sell(order)
    for (const code of ['11111', '22222']) {
      early.push(pushSms(t, supplier, { phone: number.phone, text: `Telegram code: ${code}` }))
    }
    return number
  }
  const { id } = await buyOne(t, buyer)
  await Promise.all(early)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  const { rows } = await t.ctx.db.query<{ code: string }>({
    text: 'SELECT code FROM messages WHERE activation_id = $1 ORDER BY id',
    values: [id],
  })
  expect(rows.map(({ code }) => code)).toEqual(['11111', '22222'])
  await junk.end()
})

test('H-5: after a restart the numbers that are held are known, rented ones too', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const activation = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  // Clears the queue's memory of held numbers, like a restart of the process.
  messageQueueOf.forget(t.ctx)
  await claimLeft(t.ctx)
  await using junk = await sendHeldJunk(t, supplier)
  for (const { phone } of [activation, rental]) await pushSms(t, supplier, { phone })
  expect(await transfersOf(t.ctx, activation.id)).toEqual(['hold', 'capture'])
  expect((await readRental(t, buyer, rental.id)).messages_count).toBe(1)
  await junk.end()
})

test('H-5: junk that waits is limited, and takes no place of messages for numbers that are held', async () => {
  const queue = createMessageQueue({ now: () => new Date(0) })
  const gate = Promise.withResolvers<void>()
  const junk = Array.from({ length: 5_000 }, (_, n) => queue.runMessage(String(n % 4_000), () => gate.promise))
  await expect(queue.runMessage('one more', async () => undefined)).rejects.toThrow('too many messages wait')
  queue.noteHeld('held')
  await expect(queue.runMessage('held', async () => 'mine')).resolves.toBe('mine')
  gate.resolve()
  await Promise.all(junk)
  await expect(queue.runMessage('one more', async () => 'mine')).resolves.toBe('mine')
})

test('H-5: a number is known to be held until a message finds that nobody has it, but not while it is being bought', async () => {
  let now = 0
  const queue = createMessageQueue({ now: () => new Date(now) })
  const gate = Promise.withResolvers<void>()
  const junk = ['1', '2', '3'].map((phone) => queue.runMessage(phone, () => gate.promise))
  const order: string[] = []
  const take = (phone: string, word: string) =>
    queue.runMessage(phone, async () => {
      order.push(word)
    })
  queue.noteHeld('7')
  queue.noteUnheld('7')
  await take('7', 'just bought')
  now += MINUTE
  queue.noteUnheld('7')
  const late = [take('7', 'first'), take('7', 'second')]
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['just bought'])
  gate.resolve()
  await Promise.all([...junk, ...late])
  expect(order).toEqual(['just bought', 'first', 'second'])
})
