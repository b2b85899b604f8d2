import { expect, test } from 'vitest'
import { holdActivation } from '#test/builders/held-row.ts'
import { createScriptedPeer, startScriptedProcess } from '#test/fakes/scripted-peer.ts'
import { buy, countRows, expectLedgerRight, furnishNew, until } from './real-service.ts'

test('killed while one SMS is being stored: it was not acknowledged, comes again, and is there once', async () => {
  await using house = await furnishNew(1)
  const { databaseUrl } = house
  const buyer = house.buyerAt(0)
  const peer = createScriptedPeer()
  await using first = await startScriptedProcess(peer, { databaseUrl })
  const { body } = await buy(first.url, buyer, 'press-0001')
  const { id, phone } = body.data ?? { id: 0, phone: '' }
  let pushed: Promise<void>
  {
    await using row = await holdActivation(databaseUrl, id)
    pushed = peer.push({ messageId: 'sms-1', phone, text: 'Telegram code: 12345' })
    await row.waiters(1)
    await first.kill()
    // PostgreSQL finishes a statement whose client is gone, so the message may be stored unnoticed.
  }
  expect([...peer.acknowledged]).toEqual([])
  await using _ = await startScriptedProcess(peer, { databaseUrl })
  await pushed
  expect(await countRows(house.pool, `messages WHERE supplier_message_id = 'sms-1' AND activation_id = ${id}`)).toBe(1)
  expect(await countRows(house.pool, `activations WHERE state = 'received' AND sms_count = 1 AND code = '12345'`)).toBe(
    1,
  )
  await expectLedgerRight(house.pool)
})

test('killed again and again while many SMS come in: what was acknowledged is stored, and all is there once', async () => {
  await using house = await furnishNew(4)
  const { databaseUrl } = house
  const peer = createScriptedPeer()
  const phones: string[] = []
  {
    await using service = await startScriptedProcess(peer, { databaseUrl })
    const bought = await Promise.all(
      Array.from({ length: 24 }, (_, place) => {
        const buyer = house.buyerAt(place % 4)
        return buy(service.url, buyer, `press-${place}-of-24`)
      }),
    )
    phones.push(...bought.map(({ body }) => body.data?.phone ?? ''))
    await service.kill()
  }
  const pushes: Promise<void>[] = []
  for (const round of [1, 2, 3]) {
    await using service = await startScriptedProcess(peer, { databaseUrl })
    const target = peer.acknowledged.size + 5 * round
    for (const [place, phone] of phones.entries()) {
      for (const part of ['a', 'b']) {
        const messageId = `m-${round}-${place}-${part}`
        pushes.push(peer.push({ messageId, phone, text: `Telegram code: ${10_000 + place}` }))
      }
    }
    await until(() => peer.acknowledged.size >= target)
    await service.kill()
    const acknowledged = [...peer.acknowledged]
    const { rows } = await house.pool.query<{ id: string }>({
      text: 'SELECT supplier_message_id AS id FROM messages WHERE supplier_message_id = ANY ($1)',
      values: [acknowledged],
    })
    expect(rows.map((row) => row.id).sort()).toEqual(acknowledged.sort())
  }
  await using _ = await startScriptedProcess(peer, { databaseUrl })
  await Promise.all(pushes)
  expect(await countRows(house.pool, 'messages')).toBe(3 * 24 * 2)
  expect(await countRows(house.pool, 'messages WHERE activation_id IS NULL')).toBe(0)
  expect(await countRows(house.pool, `activations WHERE state = 'received' AND sms_count = 6`)).toBe(24)
  expect(await countRows(house.pool, `transfers WHERE kind = 'capture'`)).toBe(24)
  await expectLedgerRight(house.pool)
})
