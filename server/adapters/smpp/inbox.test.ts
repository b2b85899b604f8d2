import { expect, test } from 'vitest'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { type Inbox, receivePart } from './inbox.ts'
import { recoverMessages, sweepMessages } from './sweep-messages.ts'
import type { ReceivedPart } from './wire/read-message.ts'

const PARTS_WAIT_SECONDS = 60

function inboxOf({ ctx, supplierId, receive }: SmppHouse): Inbox {
  const lostAnswers = { note: () => undefined, storedWithin: () => null }
  return {
    ctx,
    receiveSms: receive,
    supplierId,
    defaultAlphabet: 'gsm7',
    partsWaitSeconds: PARTS_WAIT_SECONDS,
    lostAnswers,
  }
}

function part(
  sequence: number,
  { total = 3, reference = 7, text = `<${sequence}>`, sender = 'Bank' } = {},
): ReceivedPart {
  return {
    phone: '79000000001',
    sender,
    dataCoding: 0,
    body: Buffer.from(text),
    partOf: { kind: 'udh8', reference, total, sequence },
  }
}

async function countRows(house: SmppHouse, table: 'smpp_parts' | 'smpp_long_messages'): Promise<number> {
  const { rows } = await house.ctx.db.query<{ count: bigint }>({ text: `SELECT count(*) FROM ${table}` })
  return Number(rows[0]?.count)
}

test('a message of one part goes straight to the intake, without an id', async () => {
  await using house = await createSmppHouse()
  await receivePart(inboxOf(house), { ...part(1), partOf: null })
  expect(house.received).toEqual([
    { supplierId: house.supplierId, messageId: null, phone: '79000000001', sender: 'Bank', text: '<1>' },
  ])
  expect(await countRows(house, 'smpp_parts')).toBe(0)
})

test('ten parts in any order, some of them twice, make one text', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  for (const sequence of [10, 3, 3, 1, 2, 9, 4, 10, 8, 5, 7]) {
    await receivePart(inbox, part(sequence, { total: 10 }))
    expect(house.calls).toEqual([])
  }
  await receivePart(inbox, part(6, { total: 10 }))
  await receivePart(inbox, part(6, { total: 10 }))
  await receivePart(inbox, part(1, { total: 10 }))
  expect(house.calls.map((sms) => sms.text)).toEqual(['<1><2><3><4><5><6><7><8><9><10>'])
})

test('parts that arrive at the same moment are neither lost nor handed over twice', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await Promise.all([1, 2, 3, 4, 5, 5, 4, 3, 2, 1].map((sequence) => receivePart(inbox, part(sequence, { total: 5 }))))
  expect(house.received.map((sms) => sms.text)).toEqual(['<1><2><3><4><5>'])
  expect(await countRows(house, 'smpp_long_messages')).toBe(1)
})

test('messages differ by sender, number, reference, its width and the count of parts', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  const first = part(1, { total: 2 })
  const others: ReceivedPart[] = [
    { ...part(2, { total: 2 }), sender: 'Other' },
    { ...part(2, { total: 2 }), phone: '79000000002' },
    part(2, { total: 2, reference: 8 }),
    part(2, { total: 3 }),
    { ...part(2), partOf: { kind: 'udh16', reference: 7, total: 2, sequence: 2 } },
  ]
  for (const one of [first, ...others]) await receivePart(inbox, one)
  expect(house.calls).toEqual([])
  await receivePart(inbox, part(2, { total: 2 }))
  expect(house.received.map((sms) => sms.text)).toEqual(['<1><2>'])
})

test('a sender that uses one reference for all its messages', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  for (const [sequence, text] of [
    [1, 'A1'],
    [1, 'B1'],
    [2, 'A2'],
    [2, 'B2'],
  ] as const)
    await receivePart(inbox, part(sequence, { total: 2, text }))
  expect(house.received.map((sms) => sms.text)).toEqual(['A1A2', 'B1B2'])
})

test('the last part is refused while the intake fails, and the repeat delivers once', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await receivePart(inbox, part(1, { total: 2 }))
  house.failIntake(1)
  await expect(receivePart(inbox, part(2, { total: 2 }))).rejects.toThrow('the intake is down')
  await receivePart(inbox, part(2, { total: 2 }))
  await sweepMessages(inbox)
  expect(house.received.map((sms) => sms.text)).toEqual(['<1><2>'])
})

test('a complete message that was never handed over goes out at the next start, under the same id', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await receivePart(inbox, part(1, { total: 2 }))
  house.failIntake(1)
  await expect(receivePart(inbox, part(2, { total: 2 }))).rejects.toThrow()
  await recoverMessages(inboxOf(house))
  expect(house.received.map((sms) => sms.text)).toEqual(['<1><2>'])
  expect(new Set(house.calls.map((sms) => sms.messageId)).size).toBe(1)
})

test('a crash after the intake took the message does not show it twice', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await receivePart(inbox, part(1, { total: 2 }))
  await receivePart(inbox, part(2, { total: 2 }))
  // A process that died after the delivery, before it stored `delivered_at`, leaves this state.
  await house.ctx.db.query({ text: 'UPDATE smpp_long_messages SET delivered_at = NULL' })
  await recoverMessages(inbox)
  expect(house.calls).toHaveLength(2)
  expect(house.received).toHaveLength(1)
})

test('the sweep tries again later and later', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await receivePart(inbox, part(1, { total: 2 }))
  house.failIntake(3)
  await expect(receivePart(inbox, part(2, { total: 2 }))).rejects.toThrow()
  const attemptsAfter = async (seconds: number) => {
    house.advance(seconds)
    await sweepMessages(inbox)
    return house.calls.length
  }
  expect(await attemptsAfter(4)).toBe(1)
  expect(await attemptsAfter(1)).toBe(2)
  expect(await attemptsAfter(4)).toBe(2)
  expect(await attemptsAfter(1)).toBe(3)
  expect(await attemptsAfter(9)).toBe(3)
  expect(await attemptsAfter(1)).toBe(4)
  expect(house.received).toHaveLength(1)
})

test('parts that never come: after the wait the others are shown with the gap', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  await receivePart(inbox, part(1))
  await receivePart(inbox, part(3))
  house.advance(PARTS_WAIT_SECONDS - 1)
  await sweepMessages(inbox)
  expect(house.calls).toEqual([])
  house.advance(1)
  await sweepMessages(inbox)
  await sweepMessages(inbox)
  expect(house.calls.map((sms) => sms.text)).toEqual(['<1>…<3>'])
  // The part comes too late for its message, but it is not lost.
  await receivePart(inbox, part(2))
  house.advance(PARTS_WAIT_SECONDS)
  await sweepMessages(inbox)
  expect(house.calls.map((sms) => sms.text)).toEqual(['<1>…<3>', '…<2>…'])
})

test('a part repeated long after its message was delivered is no message', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  for (const sequence of [1, 2, 3]) await receivePart(inbox, part(sequence))
  house.advance(600)
  await receivePart(inbox, part(3))
  house.advance(PARTS_WAIT_SECONDS)
  await sweepMessages(inbox)
  expect(house.calls).toHaveLength(1)
})

test('the same text sent anew under the same reference is a new message', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  for (const sequence of [1, 2, 3]) await receivePart(inbox, part(sequence))
  house.advance(600)
  for (const sequence of [1, 2, 3]) await receivePart(inbox, part(sequence))
  expect(house.received).toHaveLength(2)
})

test('texts are forgotten an hour after they were handed over', async () => {
  await using house = await createSmppHouse()
  const inbox = inboxOf(house)
  for (const sequence of [1, 2, 3]) await receivePart(inbox, part(sequence))
  await receivePart(inbox, part(1, { reference: 9 }))
  house.advance(3_599)
  await sweepMessages(inbox)
  expect(await countRows(house, 'smpp_parts')).toBe(4)
  house.advance(1)
  await sweepMessages(inbox)
  expect(await countRows(house, 'smpp_parts')).toBe(1)
  house.advance(3_600)
  await sweepMessages(inbox)
  expect(await countRows(house, 'smpp_parts')).toBe(0)
})
