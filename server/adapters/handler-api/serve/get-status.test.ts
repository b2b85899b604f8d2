import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const ACTIONS = ['getStatus', 'getStatusV2', 'getFullSms'] as const
const WAITING_V2 = '{"verificationType":0,"sms":null,"call":null}'

test('each state is said in the words of each action', async () => {
  await using p = await startProtocolTest({ balance: '100' })
  const { id, phone } = await p.buy()
  const all = () => Promise.all(ACTIONS.map((action) => p.ask(action, { id })))
  expect(await all()).toEqual(['STATUS_WAIT_CODE', WAITING_V2, 'STATUS_WAIT_CODE'])
  p.t.clock.advance(MINUTE)
  await p.sms(phone, 'Telegram code: 48213')
  const sms = '{"dateTime":"2026-03-01 12:01:00","code":"48213","text":"Telegram code: 48213"}'
  expect(await all()).toEqual([
    'STATUS_OK:48213',
    `{"verificationType":0,"sms":${sms},"call":null}`,
    'FULL_SMS:Telegram code: 48213',
  ])
  await p.ask('setStatus', { id, status: '3' })
  expect(await all()).toEqual(['STATUS_WAIT_RETRY:48213', WAITING_V2, 'STATUS_WAIT_CODE'])
  await p.ask('setStatus', { id, status: '6' })
  expect(await all()).toEqual(['STATUS_CANCEL', 'STATUS_CANCEL', 'STATUS_CANCEL'])
  const second = await p.buy()
  p.t.clock.advance(20 * MINUTE)
  await sweepExpired(p.t.ctx)
  for (const action of ACTIONS) expect(await p.ask(action, { id: second.id })).toBe('STATUS_CANCEL')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
})

test('a message without a code is told as its text, which never adds a field or a line', async () => {
  await using p = await startProtocolTest()
  const { id, phone } = await p.buy()
  const text = 'Tap to sign in: https://t.me/login/x\r\nLine two : end'
  await p.sms(phone, text)
  const reply = await p.ask('getStatus', { id })
  expect(reply).toBe('STATUS_OK:Tap to sign in https //t.me/login/x Line two end')
  expect(reply.split(':')).toHaveLength(2)
  expect(await p.ask('getFullSms', { id })).toBe(`FULL_SMS:${text}`)
  expect(JSON.parse(await p.ask('getStatusV2', { id }))).toMatchObject({ sms: { code: '', text } })
  await p.ask('setStatus', { id, status: '3' })
  expect(await p.ask('getStatus', { id })).toBe('STATUS_WAIT_RETRY:Tap to sign in https //t.me/login/x Line two end')
})

test('a text of error words is still a status', async () => {
  await using p = await startProtocolTest()
  const { id, phone } = await p.buy()
  await p.sms(phone, 'BAD_KEY\nSTATUS_CANCEL')
  expect(await p.ask('getStatus', { id })).toBe('STATUS_WAIT_CODE')
  expect(await p.ask('getStatus', { id, full_text: '1' })).toBe('STATUS_OK:BAD_KEY STATUS_CANCEL')
})

test('after another code was asked for, an older one is never told as the answer', async () => {
  await using p = await startProtocolTest()
  const { id, phone } = await p.buy()
  await p.sms(phone, 'Telegram code: 11111')
  p.t.clock.advance(SECOND)
  await p.ask('setStatus', { id, status: '3' })
  p.t.clock.advance(SECOND)
  await p.sms(phone, 'Welcome back')
  expect(await p.ask('getStatus', { id })).toBe('STATUS_WAIT_RETRY:11111')
  expect(await p.ask('getFullSms', { id })).toBe('STATUS_WAIT_CODE')
  p.t.clock.advance(SECOND)
  await p.sms(phone, 'Telegram code: 22222')
  p.t.clock.advance(SECOND)
  await p.sms(phone, 'Thank you for signing in')
  expect(await p.ask('getStatus', { id })).toBe('STATUS_OK:22222')
  expect(JSON.parse(await p.ask('getStatusV2', { id }))).toMatchObject({ sms: { code: '22222' } })
})

test('getActiveActivations lists what is active, newest first, under both keys, page by page', async () => {
  await using p = await startProtocolTest()
  expect(await p.ask('getActiveActivations')).toBe('NO_ACTIVATIONS')
  const first = await p.buy()
  p.t.clock.advance(MINUTE)
  const second = await p.buy()
  await p.sms(second.phone, 'Telegram code: 48213')
  const reply = await p.ask('getActiveActivations')
  const item = (row: { id: string; phone: string }, rest: string, times: [string, string]) =>
    `{"activationId":"${row.id}","serviceCode":"tg","phoneNumber":"${row.phone}","activationCost":"13.00",${rest},` +
    `"activationTime":"2026-03-01 ${times[0]}","activationEndTime":"2026-03-01 ${times[1]}","discount":"0.00","repeated":"0",` +
    '"countryCode":"2","countryName":"Kazakhstan","activationOperator":"altel","canGetAnotherSms":"1","currency":643}'
  const got = '"activationStatus":"2","smsCode":"48213","smsText":"Telegram code: 48213"'
  const waiting = '"activationStatus":"4","smsCode":null,"smsText":null'
  const list = `[${item(second, got, ['12:01:00', '12:21:00'])},${item(first, waiting, ['12:00:00', '12:20:00'])}]`
  // C-1: `activeActivations` has the types that clients of SMS-Activate expect, and `data` those for clients of
  // HeroSMS.
  expect(reply).toContain(`{"status":"success","activeActivations":${list},"data":[`)
  const message = { from: 'Telegram', text: 'Telegram code: 48213', code: '48213', date: '2026-03-01 12:01:00' }
  expect(JSON.parse(reply).data).toEqual(
    [[expect.objectContaining(message)], []].map((messages, place) => ({
      ...JSON.parse(list)[place],
      activationCost: 13,
      orderId: null,
      messages,
    })),
  )
  expect(reply).toContain('"activationCost":13.00,')
  const page = async (parameters: Record<string, string>) => {
    const body = await p.ask('getActiveActivations', parameters)
    return body.startsWith('{')
      ? (JSON.parse(body).data as { activationId: string }[]).map((row) => row.activationId)
      : body
  }
  expect(await page({ start: '0', limit: '1' })).toEqual([second.id])
  expect(await page({ start: '1', limit: '1' })).toEqual([first.id])
  expect(await page({ start: '2' })).toBe('NO_ACTIVATIONS')
  expect(await page({ start: '-1', limit: '1000000' })).toEqual([second.id, first.id])
})
