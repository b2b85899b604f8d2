import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import { rotateSims } from '#server/adapters/shared/own-numbers/sims/rotate-sims.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { openTestPool } from '#test/books/books.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { auditOf, CLI_SECRET_KEY, typed, typedIn, WHY } from '#test/harness/typed.ts'

const SETTINGS = JSON.stringify({
  format: 'android-sms-gateway',
  secrets: ['a signing key'],
  currency: 'rub',
  services: [{ code: 'tg', cost: '5' }],
})

test('a webhook supplier is added with an address that nobody guesses, told once and shown when asked for, in no log', async () => {
  await using pool = await openTestPool()
  const environment = {
    DATABASE_URL: pool.connectionString,
    SECRET_KEY: CLI_SECRET_KEY,
    PUBLIC_URL: 'https://sms.test/',
  }
  const add = ['supplier:add', 'webhook', '--code', 'phones', '--settings', SETTINGS, ...WHY]
  expect((await typedIn(environment, ...add, '--dry-run')).out).not.toContain('/intake/')
  const { out } = await typedIn(environment, ...add)
  const [address = '', key = ''] = /https:\/\/sms\.test\/intake\/phones\/([\w-]{32})/.exec(out) ?? []
  expect(out).toBe(
    `Added the supplier phones (webhook).\nAddress (a secret, like a password): ${address}\n` +
      'SMS Gateway for Android: register it as a webhook of sms:received. The signing key is in Settings, Webhooks.\n',
  )
  expect((await typedIn(environment, 'supplier:address', 'phones')).out).toContain(address)
  const { rows } = await pool.query({ text: 'SELECT settings FROM suppliers' })
  for (const kept of [rows, await auditOf(pool)]) expect(JSON.stringify(kept)).not.toContain(key)
  expect(await typed(pool, 'supplier:address', 'nobody')).toMatchObject({
    code: 1,
    err: 'There is no supplier nobody\n',
  })
})

test.each([
  ['{}', 'format: '],
  ['{"format":"twilio"}', 'secrets: '],
  ['{"format":"telnyx","publicKeys":["AAAA"]}', 'publicKeys.0: must be a public key of Telnyx'],
  [
    '{"format":"twilio","secrets":["hunter2-hunter2"],"publicUrl":"https://a.test/x"}',
    'publicUrl: must be scheme and host',
  ],
  ['{"format":"generic","sentAs":"form","fields":{"text":"t","sender":"s"}}', 'fields: needs phone or device'],
  [
    '{"format":"generic","sentAs":"form","fields":{"text":"t","sender":"s","phone":"p","slot":"x"}}',
    'fields: has a slot',
  ],
  ['{"format":"httpsms","secrets":["hunter2-hunter2"],"intakeKey":"short"}', 'intakeKey: must be 32'],
  ['{"format":"httpsms","secrets":["short"]}', 'secrets.0: '],
  [SETTINGS.replace('{', '{"sims":{"maxSalesByService":{"zzz":1}},'), 'There is no service zzz'],
])('settings that the kind would not take are refused by their names: %s', async (settings, sentence) => {
  await using pool = await openTestPool()
  const said = await typed(pool, 'supplier:add', 'webhook', '--code', 'phones', '--settings', settings, ...WHY)
  expect(said).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) })
  expect(said.err).not.toContain('hunter2')
})

async function statesOf(t: TestApp) {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT s.phone || ' ' || s.state || ' ' || n.enabled AS line FROM sims s JOIN smpp_numbers n USING (phone) ORDER BY 1`,
  })
  return rows.map(({ line }) => line)
}

test('cards are put in one by one and from a file, all of it or nothing; retired, their slot is free and their number not sold', async () => {
  await using t = await startTestApp()
  await using folder = await temporaryFolder()
  const sender = SENDERS.androidSmsGateway
  if (sender === undefined) throw new Error('there is no such sender')
  await openWebhookHouse(t, sender)
  const run = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  const add = (phone: string, device: string, slot: string) =>
    run('sim:add', 'phones', phone, '2', 'altel', '--device', device, '--slot', slot)
  const load = async (...lines: string[]) => {
    await writeFile(folder.path('cards.csv'), lines.join('\n'))
    return run('sim:import', 'phones', folder.path('cards.csv'))
  }
  expect(await add('77051234567', 'pixel', '1')).toMatchObject({
    code: 0,
    out: 'phones: 1 SIM cards put in, 0 were there already.\n',
  })
  expect(await add('77051234567', 'pixel', '1')).toMatchObject({
    code: 0,
    out: 'phones: 0 SIM cards put in, 1 were there already.\n',
  })
  expect(await add('77051234568', 'pixel', '1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('sim:retire takes a card out'),
  })
  expect(await load('77051234568,2,altel,pixel,2', '77051234569,2,altel,pixel,1')).toMatchObject({ code: 1 })
  for (const [line, sentence] of [
    ['77051234568,2,altel', 'a line is phone,country,operator,device,slot'],
    ['77051234568,2,altel,a b,1', 'not the name of a device'],
    ['4915112345678,2,altel,pixel,2', 'Numbers of another country'],
    ['77051234568,2,altel,pixel,2\n77051234568,2,altel,pixel,3', 'names a phone twice'],
  ] as const) {
    expect(await load(line)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) })
  }
  expect(await statesOf(t)).toEqual(['77051234567 in_use true'])
  expect(await load('# cards', '+77051234568;2;altel;pixel;2', '77051230000,2,altel,modem-7')).toMatchObject({
    code: 0,
  })

  expect(await run('sim:retire', '77051234567')).toMatchObject({
    code: 0,
    out: 'The SIM card with 77051234567 is retired.\n',
  })
  expect(await run('sim:retire', '77051234567')).toMatchObject({
    code: 1,
    err: expect.stringContaining('retired already'),
  })
  expect(await add('77051234569', 'pixel', '1')).toMatchObject({ code: 0 })
  await writeFile(folder.path('numbers'), '77051234567,2,altel\n')
  await run('numbers:add', 'phones', folder.path('numbers'))
  expect(await statesOf(t)).toEqual([
    '77051230000 in_use true',
    '77051234567 retired false',
    '77051234568 in_use true',
    '77051234569 in_use true',
  ])
  expect(await add('77051234567', 'pixel', '3')).toMatchObject({ code: 0 })
  expect((await typed(t.database, 'sim:list', '--device', 'pixel', '--state', 'in_use')).out.split('\n')).toHaveLength(
    4,
  )
  const audit = await auditOf(t.ctx.db)
  expect(audit.map(({ command, subject }) => `${command} ${subject}`)).toEqual([
    'sim:add supplier:phones',
    'sim:import supplier:phones',
    'sim:retire sim:77051234567',
    'sim:add supplier:phones',
    'numbers:add supplier:phones',
    'sim:add supplier:phones',
  ])
})

const RULES = { maxSales: 3, maxSalesByService: { wa: 2 }, maxAgeDays: 10, restAfterSales: 2, restHours: 5 }

async function sell(t: TestApp, { id }: Supplier, phone: string, serviceCode: string) {
  const values = { id, phone, serviceCode, reference: t.ctx.random.uuid(), now: t.clock.now() }
  await t.ctx.db.query({
    text: `WITH used AS (
        INSERT INTO smpp_number_uses (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
        VALUES ($phone, $serviceCode, $id, 2, 'altel', 'spent', 1, $now) ON CONFLICT DO NOTHING)
      INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, ending,
        created_at, expires_at, ended_at)
      VALUES ($id, $reference, 'ended', $phone, $serviceCode, 'altel', 1, 'rub', 'finished', $now, $now, $now)`,
    values,
  })
}

test('cards rest and are retired by the rules, and come back at the end of the range', async () => {
  await using t = await startTestApp()
  const sender = SENDERS.kannel
  if (sender === undefined) throw new Error('there is no such sender')
  const { supplier } = await openWebhookHouse(t, sender)
  const [first = '', second = '', third = ''] = PHONES
  for (const [slot, phone] of PHONES.entries()) {
    await typed(
      t.database,
      'sim:add',
      'phones',
      phone,
      '2',
      'altel',
      '--device',
      'bank',
      '--slot',
      String(slot),
      ...WHY,
    )
  }
  await t.ctx.db.query({ text: 'UPDATE sims SET added_at = $1, state_since = $1', values: [t.clock.now()] })
  const rotate = (soldSince: Date | null = null) =>
    rotateSims(t.ctx, { supplierId: supplier.id, rules: RULES, soldSince })
  t.clock.advance(HOUR)
  await sell(t, supplier, first, 'tg')
  expect(await rotate()).toEqual([])
  await sell(t, supplier, first, 'vk')
  await sell(t, supplier, second, 'wa')
  await sell(t, supplier, second, 'wa')
  expect(await rotate(t.clock.now())).toEqual([])
  const soldSince = new Date(t.clock.now().getTime() - 1)
  const turned = await Promise.all(Array.from({ length: 8 }, () => rotate(soldSince)))
  expect(turned.flat().toSorted((one, other) => one.phone.localeCompare(other.phone))).toEqual([
    { phone: first, state: 'resting', reason: 'sold 2 times since its last rest' },
    { phone: second, state: 'retired', reason: 'sold often enough for wa' },
  ])
  expect(await statesOf(t)).toEqual([`${first} resting false`, `${second} retired false`, `${third} in_use true`])
  expect((await typed(t.database, 'sim:list', '--phone', first)).out).toContain('(sold 2 times since its last rest)')
  expect((await supplier.listOffers(new AbortController().signal)).map(({ stock }) => stock)).toEqual([1, 1])

  t.clock.advance(5 * HOUR)
  expect(await rotate()).toEqual([{ phone: first, state: 'in_use', reason: null }])
  expect(await statesOf(t)).toEqual([`${first} in_use true`, `${second} retired false`, `${third} in_use true`])
  const { rows } = await t.ctx.db.query<{ phone: string }>({
    text: 'SELECT phone FROM smpp_numbers WHERE enabled ORDER BY position',
  })
  expect(rows.map(({ phone }) => phone)).toEqual([third, first])
  await sell(t, supplier, first, 'wa')
  expect(await rotate()).toEqual([{ phone: first, state: 'retired', reason: 'sold 3 times' }])
  t.clock.advance(10 * DAY)
  expect(await rotate()).toEqual([{ phone: third, state: 'retired', reason: 'older than 10 days' }])
  expect(await rotate()).toEqual([])
})
