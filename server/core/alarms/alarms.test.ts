import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listAlarms } from './queries.ts'
import { watchBooks } from './watch-books.ts'
import { watchService } from './watch-service.ts'

const environment = { ALARM_MAIL: 'night@example.test', ALARM_UNMATCHED: '4' }

async function alarmsOf(t: TestApp): Promise<string[]> {
  return (await sentMails(t)).map(({ to, mail }) => {
    if (mail.kind !== 'alarm' || to !== environment.ALARM_MAIL) throw new Error('another mail')
    return `${mail.alarm} ${mail.about}${mail.over ? ' over' : ''}`
  })
}

test('a link that is down for a minute is told once, and once when it is up; a restart tells nothing again', async () => {
  await using t = await startTestApp({ environment })
  const supplier = await t.addFake('range')
  let link = { up: false, since: t.clock.now() }
  supplier.link = () => link
  await watchService(t.ctx)
  t.clock.advance(59 * SECOND)
  await watchService(t.ctx)
  expect(await alarmsOf(t)).toEqual([])
  t.clock.advance(SECOND)
  // All state of the alarms is in the database, so each call behaves like the first call after a restart.
  await Promise.all([watchService(t.ctx), watchService(t.ctx)])
  await watchService(t.ctx)
  expect(await alarmsOf(t)).toEqual(['link-down range'])
  link = { up: true, since: t.clock.now() }
  await watchService(t.ctx)
  await watchService(t.ctx)
  expect(await alarmsOf(t)).toEqual(['link-down range', 'link-down range over'])
  link = { up: false, since: t.clock.now() }
  t.clock.advance(MINUTE)
  await watchService(t.ctx)
  await suppliersOf(t.ctx).remove(supplier.id)
  await watchService(t.ctx)
  expect((await alarmsOf(t)).slice(2)).toEqual(['link-down range'])
  await t.ctx.db.query({ text: 'UPDATE suppliers SET removed_at = $now', values: { now: t.clock.now() } })
  await watchService(t.ctx)
  expect((await alarmsOf(t)).slice(2)).toEqual(['link-down range'])
  expect((await listAlarms(t.ctx.db)).map(({ name }) => name)).toEqual([])
})

test('more unmatched messages within an hour than the setting are told once, and that they are over', async () => {
  await using t = await startTestApp({ environment })
  const supplier = await t.addFake()
  const push = async (count: number) => {
    for (let place = 0; place < count; place += 1) {
      await pushSms(t, supplier, { phone: `7999000000${place}`, sender: '900', text: `Code 4821${place}` })
    }
    await watchService(t.ctx)
  }
  await push(4)
  expect(await alarmsOf(t)).toEqual([])
  t.clock.advance(20 * MINUTE)
  await push(1)
  await push(0)
  expect(await alarmsOf(t)).toEqual(['unmatched 4'])
  t.clock.advance(41 * MINUTE)
  await push(2)
  expect(await alarmsOf(t)).toEqual(['unmatched 4'])
  t.clock.advance(20 * MINUTE)
  await push(0)
  expect(await alarmsOf(t)).toEqual(['unmatched 4', 'unmatched 4 over'])
})

test('one sender of adverts, or of many messages to one number, is no alarm; lost codes among them are', async () => {
  await using t = await startTestApp({ environment })
  const supplier = await t.addFake()
  const push = (phone: string, text: string) => pushSms(t, supplier, { phone, sender: 'SHOP', text })
  for (let place = 0; place < 6; place += 1) {
    await push(`7999000000${place}`, `Follow us on Telegram, offer ${place}`)
    await push('79990000099', `Your code is 4821${place}`)
  }
  const kinds = await t.ctx.db.query({
    text: `SELECT given, code IS NULL AS plain FROM messages GROUP BY 1, 2 ORDER BY 2`,
  })
  expect(kinds.rows).toEqual([
    { given: 'unmatched', plain: false },
    { given: 'unmatched', plain: true },
  ])
  await watchService(t.ctx)
  expect(await alarmsOf(t)).toEqual([])
  await push('79990000001', 'Your code is 12345')
  await push('79990000002', 'Your code is 54321')
  await watchService(t.ctx)
  expect(await alarmsOf(t)).toEqual(['unmatched 4'])
})

test('the books are verified once a day inside the server; wrong ones are told once, and that they are right again', async () => {
  await using t = await startTestApp({ environment })
  const { id } = await t.makeUser({ balance: '100.00' })
  const books = watchBooks(t.ctx)
  const change = (micros: number) =>
    t.ctx.db.query({
      text: 'UPDATE accounts SET available_micros = available_micros + $2 WHERE user_id = $1',
      values: [id, micros],
    })
  await books.look()
  await change(5)
  t.clock.advance(23 * HOUR)
  await books.look()
  expect(await alarmsOf(t)).toEqual([])
  t.clock.advance(HOUR)
  await books.look()
  await books.look()
  expect(await alarmsOf(t)).toEqual([expect.stringMatching(/^books-wrong \S/)])
  expect(t.log.lines.filter(({ sentence }) => sentence === 'the books are wrong')).toHaveLength(1)
  await change(-5)
  t.clock.advance(DAY)
  await books.look()
  expect((await alarmsOf(t)).at(-1)).toBe('books-wrong  over')
})

test('without ALARM_MAIL nothing is watched', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('range')
  supplier.link = () => ({ up: false, since: new Date(0) })
  await watchService(t.ctx)
  await watchBooks(t.ctx).look()
  expect(await sentMails(t)).toEqual([])
  expect((await t.ctx.db.query({ text: 'SELECT FROM ledger_checkpoints' })).rowCount).toBe(0)
})

test('a chain that stops is behind still: nobody is told that it was read to its end', async () => {
  await using t = await startTestApp({ environment })
  const gateway = await addFakeGateway(t)
  const tell = async (...kinds: ('chain-behind' | 'chain-stopped')[]) => {
    gateway.listFaults = async () => kinds.map((kind) => ({ kind, about: gateway.code }))
    await watchService(t.ctx)
    return alarmsOf(t)
  }
  const { code } = gateway
  expect(await tell('chain-behind')).toEqual([`chain-behind ${code}`])
  expect(await tell('chain-stopped')).toEqual([`chain-behind ${code}`, `chain-stopped ${code}`])
  expect((await tell()).slice(2).toSorted()).toEqual([`chain-behind ${code} over`, `chain-stopped ${code} over`])
})
