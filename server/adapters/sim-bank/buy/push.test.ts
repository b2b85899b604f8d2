import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { HOUR, KIBIBYTE } from '#contract/time.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { processStoredRequests } from '#server/core/numbers/intake/process-request.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { BANK_KEY } from '#test/fakes/sim-bank/bank-house.ts'
import { BANK_INTAKE_KEY, openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const SUCCESS = { http: 200, said: '{"status":"SUCCESS"}' }
const failed = (error: string, http = 200) => ({ http, said: JSON.stringify({ status: 'ERROR', error }) })

async function messagesOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT phone || ' ' || body || ' ' || given AS line FROM messages ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

test('PUSH_SMS is idempotent by its id, takes ids of 19 digits, and comes packed or not', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const { phone } = await buyOne(t, await t.makeUser())
  for (const _time of [1, 2]) expect(await bank.push({ smsId: 1, phone: Number(phone) })).toEqual(SUCCESS)
  expect(await bank.push({ smsId: 1, phone, text: 'Telegram code: 11111' }, { plain: true })).toEqual(SUCCESS)
  expect(await messagesOf(t)).toEqual([`${phone} Telegram code: 48213 named`])
  const long = (smsId: string) =>
    `{"action":"PUSH_SMS","key":"${BANK_KEY}","smsId":${smsId},"phone":${phone},"phoneFrom":"Telegram","text":"Telegram code: ${smsId.slice(-5)}"}`
  const path = `/intake/bank/${BANK_INTAKE_KEY}`
  for (const smsId of ['9223372036854775806', '9223372036854775807']) {
    const reply = await t.fetch(path, { method: 'POST', body: long(smsId) })
    expect(await reply.text()).toBe(SUCCESS.said)
  }
  await t.ctx.background.idle()
  expect((await messagesOf(t)).slice(1)).toEqual([
    `${phone} Telegram code: 75806 named`,
    `${phone} Telegram code: 75807 named`,
  ])
})

test('B8: a receipt that a bank pushes is acknowledged and dropped', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const { phone } = await buyOne(t, await t.makeUser())
  const text = 'id:998877 sub:001 dlvrd:001 submit date:2601010101 done date:2601010102 stat:DELIVRD err:000 text:'
  expect(await bank.push({ smsId: 1, phone: Number(phone), text })).toEqual(SUCCESS)
  expect(await bank.push({ smsId: 2, phone: Number(phone), text: 'Telegram code: 48213' })).toEqual(SUCCESS)
  expect(await messagesOf(t)).toEqual([`${phone} Telegram code: 48213 named`])
})

const OTHER_KEY = 'a SIM bank refused one key and took the other'

test('a bank that has not changed over is asked with the key that it knows, and may show either until the time is over', async () => {
  await using t = await startTestApp()
  const key = 'another-key-of-tests'
  const until = new Date(t.clock.now().getTime() + HOUR)
  await using bank = await openBank(t, { key, previousKey: { key: BANK_KEY, until: until.toISOString() } })
  let known = BANK_KEY
  bank.house.onAsk = (_action, body) => (body.key === known ? undefined : { status: 'ERROR', error: 'BAD_KEY' })
  const keysAsked = async () => {
    bank.house.asked.length = 0
    await refreshOffers(t.ctx, bank.supplier)
    return bank.house.asked.map((asked) => asked.key)
  }
  const warned = () => t.log.lines.filter(({ sentence }) => sentence === OTHER_KEY).map(({ fields }) => fields)
  // The first stock list was requested at the start, when the bank knew the old and the new key.
  expect(warned()).toEqual([])
  expect([await keysAsked(), await keysAsked()]).toEqual([[key, BANK_KEY], [BANK_KEY]])
  const of = { supplier: 'bank', status: 'SUCCESS' }
  expect(warned()).toEqual([{ ...of, action: 'GET_SERVICES', with: 'before' }])
  const { phone } = await buyOne(t, await t.makeUser())
  for (const shown of [key, BANK_KEY]) expect(await bank.push({ phone: Number(phone), key: shown })).toEqual(SUCCESS)
  expect(await messagesOf(t)).toHaveLength(2)
  known = key
  await buyOne(t, await t.makeUser())
  expect(warned().slice(1)).toEqual([{ ...of, action: 'GET_NUMBER', with: 'new' }])
  expect([await keysAsked(), await keysAsked()]).toEqual([[key], [key]])
  known = 'neither-of-the-two-keys'
  expect([await keysAsked(), warned().length]).toEqual([[key, BANK_KEY], 2])
  known = key
  expect([await keysAsked(), await keysAsked()]).toEqual([[BANK_KEY, key], [key]])
  // A proxy may send status 500 or 408 after the bank acted, so the request is not repeated with the second key.
  for (const http of [500, 408]) {
    bank.house.onAsk = () => ({ httpStatus: http, text: '{"status":"ERROR","error":"BAD_KEY"}' })
    expect(await keysAsked()).toEqual([key])
  }
  bank.house.onAsk = (_action, body) => (body.key === known ? undefined : { status: 'ERROR', error: 'BAD_KEY' })
  t.clock.advance(HOUR)
  expect(await bank.push({ phone: Number(phone) })).toEqual(failed('BAD_KEY', 403))
  known = BANK_KEY
  expect(await keysAsked()).toEqual([key])
})

test('what is no PUSH_SMS of the bank is answered in its own words; the key is stored nowhere', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const phone = 77010000001
  for (const action of ['PUSH_CALL', 'PUSH_CALL_RECORD']) {
    expect(await bank.push({ action, phone })).toEqual(failed('NO_OPERATION'))
  }
  expect(await bank.push({ action: 'PUSH_FAX' })).toEqual(failed('BAD_ACTION'))
  for (const key of ['wrong', '', null, 5, `${BANK_KEY} `]) {
    expect(await bank.push({ key, phone })).toEqual(failed('BAD_KEY', 403))
  }
  for (const [wrong, names] of [
    [{ phone: 'soon' }, 'phone'],
    [{ phone: -7 }, 'phone'],
    [{ phone, smsId: 1.5 }, 'smsId'],
    [{ phone, text: 5, phoneFrom: null }, 'phoneFrom, text'],
  ] as const) {
    expect(await bank.push(wrong)).toEqual(failed(`BAD_DATA: ${names}`))
  }
  const post = async (body: Buffer) => {
    const headers = { 'content-encoding': 'gzip' }
    return (
      await t.fetch(`/intake/bank/${BANK_INTAKE_KEY}`, { method: 'POST', headers, body: Buffer.from(body) })
    ).text()
  }
  for (const body of [gzipSync('[]'), gzipSync('x'), Buffer.from('no gzip'), gzipSync(Buffer.alloc(65 * KIBIBYTE))]) {
    expect(await post(body)).toBe(failed('BAD_DATA').said)
  }
  const elsewhere = { path: `/intake/bank/${BANK_INTAKE_KEY.replace('k', 'x')}` }
  expect((await bank.push({ phone }, elsewhere)).http).toBe(404)
  expect(await bank.push({ phone })).toEqual(SUCCESS)
  const { rows } = await t.ctx.db.query<{ state: string; kept: string }>({
    text: `SELECT state, COALESCE(convert_from(body, 'UTF8'), '') || query || headers::text || COALESCE(reason, '') AS kept FROM intake_requests`,
  })
  expect(rows.filter(({ kept }) => kept.includes(BANK_KEY) || kept.includes(BANK_INTAKE_KEY))).toEqual([])
  const states = Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([name, of]) => [name, of?.length]),
  )
  expect(states).toEqual({ refused: 13, processed: 1 })
})

test('a push that a killed process stored is read by the next; one that comes after the end is taken, and charges nobody', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const { phone } = await buyOne(t, await t.makeUser())
  const { run } = t.ctx.background
  t.ctx.background.run = () => undefined
  expect(await bank.push({ phone: Number(phone) })).toEqual(SUCCESS)
  t.ctx.background.run = run
  expect(await messagesOf(t)).toEqual([])
  t.clock.advance(HOUR / 12)
  await processStoredRequests(t.ctx)
  expect(await messagesOf(t)).toHaveLength(1)

  const other = await buyOne(t, await t.makeUser())
  t.clock.advance(HOUR)
  await sweepExpired(t.ctx)
  expect(await bank.push({ phone: Number(other.phone) })).toEqual(SUCCESS)
  expect((await messagesOf(t)).at(-1)).toBe(`${other.phone} Telegram code: 48213 late`)
  await expectBooksRight(t.ctx)
})
