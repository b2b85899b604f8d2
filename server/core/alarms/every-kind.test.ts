import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { AlarmKind } from '#contract/mails.ts'
import { DAY, HOUR, SECOND } from '#contract/time.ts'
import { ALARMS_EN } from '#contract/words/alarms-en.ts'
import { ALARMS_RU } from '#contract/words/alarms-ru.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { judgeShares } from '#server/core/catalog/standing/judge-shares.ts'
import { tryAgain } from '#server/core/catalog/standing/try-again.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { commands } from '#server/programs/cli/commands.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { tell } from '#test/builders/money/reversals.ts'
import { begin, payer } from '#test/builders/payments.ts'
import { addFiveSim } from '#test/builders/suppliers/five-sim-supplier.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { OF_EACH } from './set-alarm.ts'
import { watchService } from './watch-service.ts'

type Night = (t: TestApp) => AsyncGenerator<string, void>

const purchase = async (t: TestApp, user: TestUser) =>
  buyOne(t, { ...user, ...(await beginTestSession(t.ctx, user.id)) })

async function* unanswered(t: TestApp) {
  const user = await t.makeUser({ balance: '1000.00' })
  const supplier = await t.addFake('shaky')
  const { onBuy } = supplier
  supplier.onBuy = async () => Promise.reject(new Error('HTTP 502'))
  for (let place = 0; place < 5; place += 1) await expect(buyOne(t, user)).rejects.toThrow()
  await t.ctx.background.idle()
  yield 'shaky'
  supplier.onBuy = onBuy
  t.clock.advance(30 * SECOND)
  await tryAgain(t.ctx)
  for (let place = 0; place < 2; place += 1) await buyOne(t, user)
  await t.ctx.background.idle()
}

async function* fewCodes(t: TestApp) {
  const supplier = await t.addFake('bad')
  await t.ctx.db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      VALUES ($at, $supplierId, 'tg', 2, 'altel', 500, 400, array_fill(0, ARRAY[17]))`,
    values: { at: new Date(t.clock.now().getTime() - 3 * DAY), supplierId: supplier.id },
  })
  const users = await Promise.all(Array.from({ length: 12 }, () => t.makeUser({ balance: '1000.00' })))
  for (const user of users) {
    for (let place = 0; place < 4; place += 1) {
      const { phone } = await buyOne(t, user)
      if (place === 0) await pushSms(t, supplier, { phone })
    }
  }
  t.clock.advance(HOUR)
  await sweepExpired(t.ctx)
  await judgeShares(t.ctx, [supplier.id])
  yield 'bad'
  for (const user of users.slice(0, 2)) {
    t.clock.advance(HOUR)
    await tryAgain(t.ctx)
    const { phone } = await purchase(t, user)
    t.clock.advance(SECOND)
    await pushSms(t, supplier, { phone })
    await tryAgain(t.ctx)
  }
}

async function* badlyRated(t: TestApp) {
  await using five = await addFiveSim(t, { balanceSeconds: 0.1, pricesSeconds: 0.1 })
  const isRated = (hundredths: number) =>
    vi.waitUntil(
      async () => {
        const { rows } = await t.ctx.db.query<{ rating: number }>({
          text: 'SELECT rating_hundredths AS rating FROM resell_accounts',
        })
        return rows[0]?.rating === hundredths
      },
      { timeout: 10_000 },
    )
  five.house.rating = 12.5
  await isRated(1250)
  yield 'five'
  five.house.rating = 95.85
  await isRated(9585)
}

async function* nobodysMoney(t: TestApp) {
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user, '500.00')
  await t.ctx.db.query({ text: `UPDATE payments SET state = 'expired'` })
  await typed(t.database, 'user:erase', user.email, '--now', ...WHY)
  await tell(t, gateway, transaction, arrived(['late', 50_000]))
  yield '1'
  expect(await typed(t.database, 'payment:refund', transaction, '--amount', '500', ...WHY)).toMatchObject({ code: 0 })
  await t.runJobs()
}

const NIGHTS: Record<AlarmKind, Night | string> = {
  'set-aside': unanswered,
  'share-low': fewCodes,
  'rating-low': badlyRated,
  'money-unowned': nobodysMoney,
  'link-down': 'core/alarms/ends-by-answer.test.ts',
  'stock-low': 'core/alarms/outlets.test.ts',
  'balance-low': 'core/alarms/outlets.test.ts',
  losses: 'core/catalog/standing/losses.test.ts',
  'no-sms': 'core/alarms/outlets.test.ts',
  'books-wrong': 'core/alarms/alarms.test.ts',
  'price-below-cost': 'core/catalog/prices/unsold-prices.test.ts',
  'mail-down': 'core/alarms/dead-mail.test.ts',
  unmatched: 'core/alarms/alarms.test.ts',
  'rate-old': 'house/rates/rates.test.ts',
  'rate-doubtful': 'house/rates/rates.test.ts',
  'referral-withdrawals': 'core/programmes/referral/staff-told.test.ts',
  'referral-suspects': 'core/programmes/referral/staff-told.test.ts',
  'chain-stopped': 'core/payments/evm-nodes.test.ts',
  'chain-behind': 'core/payments/evm-nodes.test.ts',
  'chain-node': 'core/payments/evm-nodes.test.ts',
  'chain-finding': 'core/payments/evm.test.ts',
  'coin-rate': 'core/payments/evm.test.ts',
  'coin-name': 'core/payments/heleket-rates.test.ts',
}

const entries = Object.entries(NIGHTS) as [AlarmKind, Night | string][]

test.each(entries.flatMap(([kind, night]) => (typeof night === 'string' ? [] : [{ kind, night }])))(
  'the alarm $kind begins by its cause, says what it is about, and ends when that is mended',
  async ({ kind, night }) => {
    await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
    const told = async () => {
      await flushHealth(t.ctx)
      await watchService(t.ctx)
      return (await sentMails(t)).flatMap(({ mail }) =>
        mail.kind === 'alarm' && mail.alarm === kind ? [`${mail.about}${mail.over ? ' over' : ''}`] : [],
      )
    }
    const course = night(t)
    const { value: about } = await course.next()
    expect(await told()).toEqual([about])
    expect(await course.next()).toMatchObject({ done: true })
    expect(await told()).toEqual([about, OF_EACH.includes(kind) ? `${about} over` : ' over'])
  },
)

test.each([
  ['en', ALARMS_EN],
  ['ru', ALARMS_RU],
] as const)('what an alarm says to do in %s names commands and options that there are', (_locale, words) => {
  const known = (typedWords: string) => {
    const [name, ...more] = typedWords.split(' ')
    const command = commands.find((one) => one.name === name)
    const options = [...Object.keys(command?.options ?? {}), ...(command?.switches ?? [])].map((one) => `--${one}`)
    return command !== undefined && more.every((word) => !word.startsWith('--') || options.includes(word))
  }
  const unknown = Object.values(words).flatMap(({ todo }) => {
    const named = [...todo.matchAll(/`([^`]+)`/g)].map(([, typedWords = '']) => typedWords)
    return named.length === 0 && !todo.includes('SMTP_URL') ? [todo] : named.filter((typedWords) => !known(typedWords))
  })
  expect(unknown).toEqual([])
})

test('each other alarm is begun and ended by the test that is named for it', async () => {
  const missing: string[] = []
  for (const [kind, night] of entries) {
    if (typeof night !== 'string') continue
    const text = await readFile(join(import.meta.dirname, '../..', night), 'utf8')
    if (!text.includes(kind) || !/ over\b|true'/.test(text)) missing.push(kind)
  }
  expect(missing).toEqual([])
})
