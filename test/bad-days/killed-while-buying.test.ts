import { expect, test } from 'vitest'
import { createScriptedPeer, startScriptedProcess } from '#test/fakes/scripted-peer.ts'
import { buy, countRows, expectLedgerRight, furnishNew, until } from './real-service.ts'

const never = () => new Promise<void>(() => undefined)

const KILLS_LIMIT_MS = 180_000

test('killed between hold and settle, the supplier had sold nothing: the money is back, nothing is bought', {
  timeout: KILLS_LIMIT_MS,
}, async () => {
  await using house = await furnishNew(1)
  const { databaseUrl } = house
  const buyer = house.buyerAt(0)
  const peer = createScriptedPeer()
  const asked = Promise.withResolvers<void>()
  peer.onAsked = (question) => {
    if (question.method !== 'buy') return undefined
    asked.resolve()
    return never()
  }
  {
    await using first = await startScriptedProcess(peer, { databaseUrl })
    const buying = buy(first.url, buyer, 'press-0001').catch(() => 'no reply')
    await asked.promise
    expect(await countRows(house.pool, `activations WHERE state = 'reserving' AND money = 'held'`)).toBe(1)
    await first.kill()
    expect(await buying).toBe('no reply')
  }
  peer.onAsked = () => undefined
  await using second = await startScriptedProcess(peer, { databaseUrl })
  // The killed process's purchase is settled before the first request is answered.
  expect(await countRows(house.pool, `activations WHERE state = 'failed' AND money = 'released'`)).toBe(1)
  await expectLedgerRight(house.pool)
  // A request that repeats an idempotency key is told how its purchase ended. A request with a new key buys a number.
  expect(await buy(second.url, buyer, 'press-0001')).toMatchObject({ status: 409, body: { code: 'NO_NUMBERS' } })
  expect(peer.sold.size).toBe(0)
  expect((await buy(second.url, buyer, 'press-0002')).status).toBe(201)
  expect(peer.complaints).toEqual([])
  await expectLedgerRight(house.pool)
})

test('killed after the supplier sold, before we knew: the number is the buyer’s, and was bought once', {
  timeout: KILLS_LIMIT_MS,
}, async () => {
  await using house = await furnishNew(1)
  const { databaseUrl } = house
  const buyer = house.buyerAt(0)
  const peer = createScriptedPeer()
  const sold = Promise.withResolvers<void>()
  peer.onDone = (question) => {
    if (question.method !== 'buy') return undefined
    sold.resolve()
    return never()
  }
  {
    await using first = await startScriptedProcess(peer, { databaseUrl })
    const buying = buy(first.url, buyer, 'press-0001').catch(() => 'no reply')
    await sold.promise
    await first.kill()
    expect(await buying).toBe('no reply')
  }
  peer.onDone = () => undefined
  const [number] = [...peer.sold.values()]
  const code = peer.push({ messageId: 'early', phone: number?.phone ?? '', text: 'Telegram code: 12345' })
  await using second = await startScriptedProcess(peer, { databaseUrl })
  // The code arrived before the purchase was settled, and must not be lost.
  await code
  const again = await buy(second.url, buyer, 'press-0001')
  expect(again).toMatchObject({ status: 201, body: { data: { phone: number?.phone, state: 'received' } } })
  expect(peer.sold.size).toBe(1)
  expect(peer.ended.size).toBe(0)
  expect(peer.complaints).toEqual([])
  await expectLedgerRight(house.pool)
})

test('killed again and again under load: every press bought at most once, and every number has one owner', {
  timeout: KILLS_LIMIT_MS,
}, async () => {
  await using house = await furnishNew(6)
  const { databaseUrl } = house
  const peer = createScriptedPeer()
  const presses: { buyer: (typeof house.buyers)[number]; key: string }[] = []
  for (const killAt of [3, 9, 17]) {
    // Each round repeats all earlier requests too, which must be answered at once if they were answered before.
    presses.push(
      ...house.buyers.flatMap((buyer) =>
        [1, 2, 3, 4].map((place) => ({ buyer, key: `press-${killAt}-${buyer.id}-${place}` })),
      ),
    )
    const reached = Promise.withResolvers<void>()
    let bought = 0
    peer.onDone = (question) => {
      bought += question.method === 'buy' ? 1 : 0
      if (bought >= killAt) reached.resolve()
      // Once the kill is due, no answer of the supplier reaches the service any more.
      return bought >= killAt ? never() : undefined
    }
    await using service = await startScriptedProcess(peer, { databaseUrl })
    const replies = presses.map(({ buyer, key }) => buy(service.url, buyer, key).catch(() => null))
    await Promise.race([reached.promise, Promise.all(replies)])
    expect(bought).toBeGreaterThanOrEqual(killAt)
    await service.kill()
    await Promise.all(replies)
  }
  peer.onDone = () => undefined
  await using service = await startScriptedProcess(peer, { databaseUrl })
  await expectLedgerRight(house.pool)
  expect(await countRows(house.pool, `activations WHERE state = 'reserving'`)).toBe(0)
  for (const { buyer, key } of presses) {
    const first = await buy(service.url, buyer, key)
    expect([201, 409]).toContain(first.status)
    const second = await buy(service.url, buyer, key)
    expect([second.status, second.body.data?.id]).toEqual([first.status, first.body.data?.id])
  }
  expect(await countRows(house.pool, 'activations')).toBe(presses.length)
  // Every sold number must belong to a buyer or have been given back.
  const { rows } = await house.pool.query<{ reference: string }>({
    text: `SELECT id || '-' || attempt AS reference FROM activations WHERE state = 'waiting'`,
  })
  const owned = new Set(rows.map((row) => row.reference))
  const dangling = () =>
    [...peer.sold.keys()].filter((reference) => !owned.has(reference) && !peer.ended.has(reference))
  await until(() => dangling().length === 0)
  expect([...peer.ended.keys()].filter((reference) => owned.has(reference))).toEqual([])
  expect(peer.complaints).toEqual([])
  await expectLedgerRight(house.pool)
})

test('killed while the supplier was being told of an end: the next process tells it', {
  timeout: KILLS_LIMIT_MS,
}, async () => {
  await using house = await furnishNew(1)
  const { databaseUrl } = house
  const buyer = house.buyerAt(0)
  const peer = createScriptedPeer()
  const environment = { EARLY_CANCEL_SECONDS: '0' }
  const told = Promise.withResolvers<void>()
  peer.onAsked = (question) => {
    if (question.method !== 'end') return undefined
    told.resolve()
    return never()
  }
  {
    await using first = await startScriptedProcess(peer, { databaseUrl, environment })
    const { body } = await buy(first.url, buyer, 'press-0001')
    const headers = { authorization: `Bearer ${buyer.key}` }
    await fetch(`${first.url}/api/v1/activations/${body.data?.id}/cancel`, { method: 'POST', headers })
    await told.promise
    await first.kill()
  }
  peer.onAsked = () => undefined
  await using _ = await startScriptedProcess(peer, { databaseUrl, environment })
  await until(() => peer.ended.size === 1)
  expect([...peer.ended.values()]).toEqual([['cancelled']])
  await until(async () => (await countRows(house.pool, 'graphile_worker._private_jobs')) === 0)
  await expectLedgerRight(house.pool)
})
