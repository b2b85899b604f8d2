import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { createResellSupplier } from '#server/adapters/handler-api/handler-api-supplier.ts'
import { createSimBankSupplier } from '#server/adapters/sim-bank/buy/sim-bank-supplier.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { sentMails } from '#test/builders/mails.ts'
import { openFieldHouse } from '#test/fakes/handler-api/field-house.ts'
import { openBankHouse } from '#test/fakes/sim-bank/bank-house.ts'
import { bankSettings } from '#test/fakes/sim-bank/open-bank.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { watchService } from './watch-service.ts'

const environment = { ALARM_MAIL: 'night@example.test' }

async function alarmsOf(t: TestApp): Promise<string[]> {
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm}${mail.over ? ' over' : ''}` : '',
  )
}

const KINDS = [
  {
    kind: 'sim-bank',
    make: createSimBankSupplier,
    open: async () => {
      const house = await openBankHouse()
      return { settings: { ...bankSettings(house.url), retrySeconds: 1 }, house }
    },
  },
  {
    kind: 'handler-api',
    make: createResellSupplier,
    open: async (t: TestApp) => {
      const house = await openFieldHouse('smshub', t.clock.now)
      const settings = { url: house.url, key: house.key, dialect: 'smshub', currency: 'rub', privateHost: true }
      return { settings, house }
    },
  },
]

test.each(KINDS)(
  'OP-4: the alarm of a $kind that does not answer outlives a restart, and ends by an answer alone',
  async ({ kind, make, open }) => {
    await using t = await startTestApp({ environment })
    const { settings, house } = await open(t)
    await house[Symbol.asyncDispose]()
    const supplier = await t.addReal(make, { code: 'bank', kind, settings })
    const signal = AbortSignal.timeout(MINUTE)
    for (let call = 0; call < 3; call += 1) await supplier.listOffers(signal).catch(() => undefined)
    await expect.poll(() => supplier.link?.().up).toBe(false)
    await t.ctx.background.idle()
    t.clock.advance(MINUTE)
    await watchService(t.ctx)
    expect(await alarmsOf(t)).toEqual(['link-down'])
    expect((await sentMails(t))[0]?.mail).toMatchObject({
      why: expect.stringMatching(/3 calls in a row.*the last one/),
    })
    const downs = (await typed(t.database, 'supplier:events', 'bank')).out

    await suppliersOf(t.ctx).remove(supplier.id)
    t.clock.advance(MINUTE)
    const again = make(t.ctx, { id: supplier.id, code: 'bank', kind, settings })
    again.start = async () => undefined
    await addSupplier(t.ctx, again)
    await t.ctx.background.idle()
    expect(again.link?.()).toMatchObject({ up: true, unproven: true })
    t.clock.advance(2 * MINUTE)
    await watchService(t.ctx)
    expect(await alarmsOf(t)).toEqual(['link-down'])
    const { out } = await typed(t.database, 'supplier:events', 'bank')
    expect(out).toBe(downs)

    await suppliersOf(t.ctx).remove(supplier.id)
    const mended = await open(t)
    await using _house = mended.house
    await addSupplier(t.ctx, make(t.ctx, { id: supplier.id, code: 'bank', kind, settings: mended.settings }))
    await expect.poll(async () => (await typed(t.database, 'supplier:events', 'bank')).out).toContain('link-up')
    await t.ctx.background.idle()
    await watchService(t.ctx)
    expect(await alarmsOf(t)).toEqual(['link-down', 'link-down over'])
  },
)
