import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import { playNumberLimitOf } from '#server/core/numbers/limits/play-number-limit.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { sandboxOf, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { buyOne, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { makeSandboxKey, startSandboxTest } from '#test/services/sandbox-service.ts'

const BUY = 'POST /api/v1/activations'
const RENT = 'POST /api/v1/rentals'
const BULK = 'POST /api/v1/activations/bulk'
const SILENT = { service_id: 'tg', country_id: 0, operator_id: 'silent' }
const RENTAL = { service_id: 'full', country_id: 0, period: 4, operator_id: 'silent' } as const

test('17.6: a full sandbox refuses those with many numbers first, and real purchases and codes go through', async () => {
  await using s = await startSandboxTest({ config: { earlyCancelSeconds: 0 } })
  const { t, user, token } = s
  const fake = await t.addFake()
  const newcomer = await makeSandboxKey(t, await t.makeUser())
  const latest = await makeSandboxKey(t, await t.makeUser())
  playNumberLimitOf(t.ctx).limits = {
    activation: { usual: 6, share: 2, most: 8 },
    rental: { usual: 1, share: 1, most: 2 },
  }
  const items = Array.from({ length: 20 }, () => SILENT)
  const { data } = await call(t, BULK, { items }, { token })
  const codes = data.items.map((item) => (item.status ? 'OK' : item.code))
  expect([data.bought, new Set(codes)]).toEqual([6, new Set(['OK', 'SANDBOX_FULL'])])
  const full = await refused(t, BUY, SILENT, { token, locale: 'en' })
  expect(full).toMatchObject({ status: 503, retryAfter: '5', body: { code: 'SANDBOX_FULL' } })
  expect(full.body.message).toBe('Too many numbers bought with play money are in use right now. Try again in 5 s.')
  const { body } = await refused(t, BUY, SILENT, { token, locale: 'ru' })
  expect(body.message).toBe('Сейчас слишком много покупок на тестовые деньги. Повторите через 5 с')
  const field = await t.fetch(`/stubs/handler_api.php?api_key=${token}&action=getNumber&service=tg&country=0`)
  expect(await field.text()).toBe('NO_NUMBERS')
  const fiveSim = await t.fetch('/v1/user/buy/activation/russia/any/telegram', { token })
  expect([await fiveSim.text(), fiveSim.headers.get('retry-after')]).toEqual(['no free phones', '5'])
  await call(t, BUY, SILENT, { token: newcomer })
  const own = await call(t, BUY, SILENT, { token: newcomer })
  expect((await refused(t, BUY, SILENT, { token: latest })).body.code).toBe('SANDBOX_FULL')
  const replaced = await call(t, 'POST /api/v1/activations/{id}/replace', { id: own.data.id }, { token: newcomer })
  await call(t, RENT, RENTAL, { token })
  expect((await refused(t, RENT, RENTAL, { token })).body.code).toBe('SANDBOX_FULL')
  await call(t, RENT, RENTAL, { token: newcomer })

  const real = await buyOne(t, user)
  await pushSms(t, fake, { phone: real.phone })
  const coded = await call(t, 'GET /api/v1/activations/{id}', { id: real.id, wait: 0 }, user)
  expect(coded.data).toMatchObject({ state: 'received', code: '48213' })

  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: replaced.data.id }, { token: newcomer })
  t.clock.advance(5 * SECOND)
  const { data: play } = await call(t, BUY, SILENT, { token: latest })

  t.clock.advance(MINUTE)
  const later = await buyOne(t, user)
  t.clock.advance(21 * MINUTE)
  await sweepExpired(t.ctx)
  const { rows } = await t.ctx.db.query<{ id: bigint }>({
    text: `SELECT subject_id AS id FROM events WHERE kind = 'activation.expired' AND subject_id = ANY ($1) ORDER BY events.id`,
    values: [[play.id, later.id]],
  })
  expect(rows.map(({ id }) => Number(id))).toEqual([later.id, play.id])
  const jobs = await t.ctx.db.query<{ priority: number; count: bigint }>({
    text: `SELECT priority, count(*) FROM graphile_worker.jobs WHERE task_identifier = 'end-number' GROUP BY 1 ORDER BY 1`,
  })
  expect(jobs.rows.map(({ priority, count }) => [priority, Number(count)])).toEqual([
    [0, 2],
    [10, 10],
  ])
  await expectBooksRight(t.ctx)
})

test('17.6: all sandbox accounts together buy so much a minute, and one that floods keeps none of the others out', async () => {
  await using s = await startSandboxTest()
  const { t, user } = s
  const newcomer = await makeSandboxKey(t, await t.makeUser())
  const flood = async (hold: () => Promise<object | null>) => {
    try {
      await openNumber(sandboxOf(t.ctx), { userId: user.id, kind: 'activation', replaces: false }, hold)
      return 'OK'
    } catch (error) {
      return error instanceof AppError ? error.code : 'NO_BALANCE'
    }
  }
  for (let time = 0; time < 400; time += 1) expect(await flood(async () => null)).toBe('OK')
  for (let time = 0; time < 100; time += 1)
    expect(await flood(() => Promise.reject(new Error('no')))).toBe('NO_BALANCE')
  const codes: string[] = []
  for (let time = 0; time < 320; time += 1) codes.push(await flood(async () => ({})))
  expect(codes.filter((code) => code === 'OK')).toHaveLength(300)
  expect(codes.slice(300)).toEqual(Array.from({ length: 20 }, () => 'SANDBOX_FULL'))
  await call(t, BUY, SILENT, { token: newcomer })
  t.clock.advance(3 * SECOND)
  expect(await flood(async () => ({}))).toBe('OK')
  await t.addFake()
  await buyOne(t, user)
})

test('17.6: messages for play numbers wait for each other, and real codes for none of them', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const fake = await t.addFake()
  const items = Array.from({ length: 20 }, () => SILENT)
  const bought = (await call(t, BULK, { items }, { token })).data.items.flatMap((item) =>
    item.status ? [item.data] : [],
  )
  const real = await buyOne(t, user)
  let play: Promise<unknown> = Promise.resolve()
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({
      text: 'SELECT FROM activations WHERE supplier_id = $1 FOR UPDATE',
      values: [sandboxSupplyOf(t.ctx).supplierId],
    })
    play = Promise.all(
      bought.map(({ id, phone }) =>
        receiveSms(sandboxOf(t.ctx), {
          supplierId: sandboxSupplyOf(t.ctx).supplierId ?? 0,
          phone: phone ?? '',
          reference: `${id}-1`,
          messageId: `m${id}`,
          sender: 'Telegram',
          text: 'Telegram code: 48213',
        }),
      ),
    )
    await pushSms(t, fake, { phone: real.phone })
    const wait = { id: real.id, wait: 0 }
    expect((await call(t, 'GET /api/v1/activations/{id}', wait, user)).data).toMatchObject({ code: '48213' })
  })
  await play
  const { data } = (await call(t, 'GET /api/user/active-numbers', { per_page: 50 }, { token })).numbers
  expect([data.length, new Set(data.map(({ code }) => code))]).toEqual([20, new Set(['48213'])])
})
