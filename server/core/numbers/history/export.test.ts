import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { toRefusal } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { MAX_CSV_ROWS } from './csv-export.ts'

const get = (t: TestApp, path: string, user: TestUser, locale = 'ru') =>
  t.fetch(path, { token: user.token, headers: { locale } })

async function linesOf(reply: Response): Promise<string[]> {
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
  const lines = bytes.subarray(3).toString().split('\r\n')
  expect(lines.pop()).toBe('')
  return lines
}

test('the history and the movements are sent as files in the language of the caller', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  await t.ctx.db.query({ text: `UPDATE services SET name_en = '=1+1,"x"', name_ru = '=1+1,"x"' WHERE code = 'tg'` })
  catalogOf(t.ctx).services.set('tg', { ...catalogOf(t.ctx).services.get('tg'), name_en: '=1+1,"x"' } as never)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const coded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: coded.phone })
  t.clock.advance(MINUTE)
  const rental = await rentOne(t, buyer)

  const file = await get(t, '/api/v1/history.csv', buyer, 'en')
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="history-2026-03-01.csv"')
  expect(file.headers.get('cache-control')).toBe('no-store')
  expect(await linesOf(file)).toEqual([
    'ID,Type,Outcome,Service,Country,Operator,Number,Price,Paid,Currency,Hours,Code,Messages,Bought,Ended',
    `${rental.id},rental,open,Full rent,Kazakhstan,${rental.operator},${rental.phone},130.00,130.00,RUB,24,,0,2026-03-01T12:01:00.000Z,`,
    `${coded.id},activation,open,"'=1+1,""x""",Kazakhstan,altel,${coded.phone},13.00,13.00,RUB,,48213,1,2026-03-01T12:00:00.000Z,`,
  ])
  const narrowed = await linesOf(await get(t, '/api/v1/history.csv?mode=rent', buyer))
  expect(narrowed).toHaveLength(2)
  expect(narrowed[0]).toMatch(/^ID,Тип,Итог,Сервис/)
  const movements = await linesOf(await get(t, '/api/v1/movements.csv?direction=out', buyer))
  expect(movements[0]).toBe('ID,Время,Операция,Сумма,Баланс после,Валюта,За что,ID покупки,Платёж,Сервис,Страна')
  expect(movements[1]).toMatch(
    /^\d+,2026-03-01T12:01:00.000Z,зарезервировано,-130.00,857.00,RUB,аренда,\d+,,[^,]+,Казахстан$/,
  )
  expect(movements).toHaveLength(3)

  const people = 'for=people&time_zone=Europe/Moscow'
  const saved = await linesOf(await get(t, `/api/v1/history.csv?mode=activation&${people}`, buyer))
  const told = `${coded.id};активация;открыт;Telegram`
  const ended = `13,00;13,00;RUB;;"=""48213""";1;01.03.2026 15:00:00;`
  expect(saved[1]).toBe(`${told};Казахстан;altel;"=""${coded.phone}""";${ended}`)
  const moved = await linesOf(await get(t, `/api/v1/movements.csv?direction=out&${people}`, buyer, 'en'))
  expect(moved[1]).toMatch(/^\d+,2026-03-01 15:01:00,put on hold,-130\.00,857\.00,RUB,rental,/)
  const sums = await linesOf(await get(t, `/api/v1/statement.csv?${people}`, buyer))
  expect(sums).toContain('остаток на конец периода;;;;857,00;RUB')

  const anonymous = await t.fetch('/api/v1/history.csv')
  expect(toRefusal(anonymous, await anonymous.json()).body.code).toBe('UNAUTHENTICATED')
  const wrong = await get(t, '/api/v1/movements.csv?time_zone=Mars', buyer)
  expect(toRefusal(wrong, await wrong.json())).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
})

const ROWS_AT_ONCE = 5_000

test('a long file is cut and says so, one of a user at a time, and whoever goes away holds nothing', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  const other = await t.makeUser()
  // The rows are inserted in parts, because on a busy machine a single statement would hit the statement time-out.
  for (let from = 1; from <= MAX_CSV_ROWS + 1; from += ROWS_AT_ONCE) {
    await t.ctx.db.query({
      text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
          phone, channel, created_at, expires_at, ended_at)
        SELECT $userId, 'tg', 2, 'altel', 'expired', 'released', 13000000, 'rub',
          (SELECT min(id) FROM suppliers), '77010000000',
          'site', made, made, made
        FROM generate_series($from::int, $to) n,
          LATERAL (SELECT $now::timestamptz - n * interval '1 second' AS made) times`,
      values: { userId: buyer.id, now: t.clock.now(), from, to: Math.min(from + ROWS_AT_ONCE - 1, MAX_CSV_ROWS + 1) },
    })
  }
  const cut = new AbortController()
  const left = await t.fetch('/api/v1/history.csv', { token: buyer.token, signal: cut.signal })
  const twice = await get(t, '/api/v1/history.csv', buyer)
  expect(toRefusal(twice, await twice.json())).toMatchObject({ status: 429, retryAfter: '10' })
  expect(await linesOf(await get(t, '/api/v1/history.csv', other))).toHaveLength(1)
  expect((await get(t, '/api/v1/history', buyer)).status).toBe(200)
  cut.abort()
  await expect(left.text()).rejects.toThrow(/abort/i)

  const whole = await untilAllowed(() => get(t, '/api/v1/history.csv', buyer, 'en'))
  const lines = await linesOf(whole)
  expect(lines).toHaveLength(MAX_CSV_ROWS + 2)
  expect(new Set(lines.slice(1, -1)).size).toBe(MAX_CSV_ROWS)
  expect(lines.at(-1)).toContain(`These are the first ${MAX_CSV_ROWS} rows`)
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

/** Repeats the request while it is refused, because the server notices a closed connection a moment late. */
async function untilAllowed(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 429) return reply
    await reply.body?.cancel()
  }
}
