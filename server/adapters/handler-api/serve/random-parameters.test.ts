import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KEY_DIALECTS } from '#contract/api-key.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'
import { actions } from './actions.ts'

const NAMES = [
  'service',
  'country',
  'operator',
  'maxPrice',
  'phoneException',
  'orderId',
  'activationType',
  'forward',
  'providerIds',
  'activationId',
  'time',
  'duration',
  'hours',
  'currency',
  'end',
  'size',
  'page',
  'services',
  'countries',
  'id',
  'status',
  'start',
  'limit',
  'lang',
  'freePrice',
  'ref',
  '__proto__',
  'constructor',
  'action',
  'api_key',
]

const hostile = fc.constantFrom(
  `'; DROP TABLE activations; --`,
  `1' OR '1'='1`,
  '<script>alert(1)</script>',
  '{{7*7}}%{7*7}',
  '\0',
  '\u{feff}',
  '\ud800',
  '1e309',
  'NaN',
  '-1',
  '٣',
  '9'.repeat(400),
  'a,'.repeat(300),
  '%',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
)
const sound = fc.constantFrom(
  'tg',
  'wa',
  '2',
  '0',
  '8',
  '6',
  '3',
  '1',
  '-1',
  'altel',
  '50',
  '77051',
  'true',
  'any',
  'ru',
  'undefined',
  'null',
  'None',
  '*',
  '643',
  'full',
  '24',
)
const value = fc.oneof(hostile, sound, fc.string({ unit: 'binary', maxLength: 40 }), fc.integer().map(String))
const parameters = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), {
  selector: ([name]) => name,
  maxLength: 8,
})

const AMOUNT = '\\d+\\.\\d{2,6}'
const WORDS = [
  'NO_KEY',
  'BAD_KEY',
  'BAD_ACTION',
  'BAD_SERVICE',
  'BAD_COUNTRY',
  'BAD_STATUS',
  'BAD_DATA',
  'NO_NUMBERS',
  'NO_BALANCE',
  'NO_ACTIVATION',
  'NO_ACTIVATIONS',
  'WRONG_ACTIVATION_ID',
  `WRONG_MAX_PRICE:${AMOUNT}`,
  'WRONG_EXCEPTION_PHONE',
  'EARLY_CANCEL_DENIED',
  'ORDER_ALREADY_EXISTS',
  'OPERATORS_NOT_FOUND',
  `ACCESS_BALANCE:${AMOUNT}`,
  'ACCESS_NUMBER:\\d+:\\d+',
  'ACCESS_READY',
  'ACCESS_RETRY_GET',
  'ACCESS_ACTIVATION',
  'ACCESS_CANCEL',
  'NOT_AVAILABLE',
  'WRONG_ADDITIONAL_SERVICE',
  'NO_CALL',
  'NOT_INCOMING',
  'WRONG_DATE',
  'WRONG_SERVICE',
  'RENEW_ACTIVATION_NOT_AVAILABLE',
  'NEW_ACTIVATION_IMPOSSIBLE',
  'BAD_CURRENCY',
  'CURRENCY_CHANGE_UNAVAILABLE',
  'ACTIVATION_NOT_ACTIVE',
  'CHANNELS_LIMIT',
  'STATUS_WAIT_CODE',
  'STATUS_WAIT_RETRY:[^:\\n]*',
  'STATUS_OK:[^:\\n]*',
  'STATUS_CANCEL',
  'FULL_SMS:.*',
]
const TEXT_REPLY = new RegExp(`^(?:${WORDS.join('|')})$`, 's')

test('whatever is sent, the answer is 200 and a word or JSON of the protocol', async () => {
  await using p = await startProtocolTest({ balance: '60' })
  const bought = await p.buy()
  await p.sms(bought.phone, 'Telegram code: 48213')
  const action = fc.constantFrom(...actions.keys(), 'nothing')
  const way = fc.constantFrom('query', 'form', 'json', 'both')
  const dialect = fc.constantFrom('', ...KEY_DIALECTS.map((name) => `/${name}`))
  await fc.assert(
    fc.asyncProperty(action, parameters, way, dialect, fc.boolean(), async (name, given, sentBy, prefix, ownId) => {
      const sent: [string, string][] = [['api_key', p.key], ['action', name], ...given]
      if (ownId) sent.push(['id', bought.id], ['activationId', bought.id])
      const form = new URLSearchParams(
        sent.map(([key, text]): [string, string] => [key, text.toWellFormed()]),
      ).toString()
      const payload = sentBy === 'json' ? JSON.stringify(Object.fromEntries(sent)) : form
      const reply = await p.t.app.inject({
        method: sentBy === 'query' ? 'GET' : 'POST',
        url: `${prefix}/stubs/handler_api.php${sentBy === 'query' || sentBy === 'both' ? `?${form}` : ''}`,
        ...(sentBy !== 'query' && { payload }),
      })
      const isJson = reply.headers['content-type'] === 'application/json; charset=utf-8'
      if (reply.statusCode === 204) return
      expect(reply.statusCode).toBe(200)
      if (isJson) expect(() => JSON.parse(reply.body)).not.toThrow()
      else expect(reply.body).toMatch(TEXT_REPLY)
      expect(reply.headers['set-cookie']).toBeUndefined()
    }),
    { numRuns: randomRuns({ suite: 300, soak: 20_000 }) },
  )
  expect(p.t.log.lines.filter((line) => line.level === 'error')).toEqual([])
  const { rows } = await p.t.ctx.db.query<{ micros: bigint }>({
    text: `SELECT available_micros + held_micros + (SELECT COALESCE(sum(price_micros), 0)::bigint FROM activations
      WHERE user_id = $1 AND money = 'captured') AS micros FROM accounts WHERE user_id = $1`,
    values: [p.buyer.id],
  })
  expect(rows).toEqual([{ micros: 60_000_000n }])
})
