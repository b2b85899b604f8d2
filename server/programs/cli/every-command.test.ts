import { expect, test } from 'vitest'
import type { Pool } from '#server/house/db/pool.ts'
import { openTestPool } from '#test/books/books.ts'
import { makeWorld, type World } from '#test/books/command-world.ts'
import { openBankHouse } from '#test/fakes/sim-bank/bank-house.ts'
import { bankSettings } from '#test/fakes/sim-bank/open-bank.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { CLI_SECRET_KEY, type Said, typedIn, WHY } from '#test/harness/typed.ts'
import { commands } from './commands.ts'

const BANK = JSON.stringify({
  text: { en: 'Name the reference', ru: 'Укажите номер' },
  rows: [{ label: { en: 'Account', ru: 'Счёт' }, value: '40817810000000000001' }],
})

const OURS = JSON.stringify({
  mode: 'server',
  currency: 'rub',
  services: [{ code: 'tg', cost: '9.50' }],
  peers: [{ systemId: 'r', password: 'hush-hush' }],
  listen: { port: 0 },
})
const SHOP = JSON.stringify({
  url: 'https://platform.example/sms',
  key: 'hush-hush-key',
  services: [{ code: 'tg', sum: '20' }],
})
const RUB = 'rub@ringpost.test'

/**
 * Arguments with which each command succeeds and, if it can, changes something. The commands run in this order, which
 * must be that of the list `commands`.
 */
const SAMPLES: Readonly<Record<string, (world: World) => string[]>> = {
  migrate: () => [],
  'demo:key': () => [],
  'demo:code': () => [],
  'ledger:verify': () => [],
  'node:list': () => [],
  'supplier:list': () => [],
  'supplier:show': () => ['range'],
  'supplier:events': () => ['range'],
  'supplier:add': () => ['smpp', '--code', 'ours', '--settings', OURS],
  'supplier:set': () => ['ours', 'maxConnections=9'],
  'supplier:address': () => ['phones'],
  'supplier:certify': () => ['bank', '--without-sms', '--numbers', '2'],
  'supplier:test': () => ['ours'],
  'supplier:rotate': () => ['bank', '--hours', '24'],
  'supplier:map': () => ['resold', 'service', 'xx', '--to', 'tg'],
  'supplier:unmapped': () => ['resold'],
  'supplier:pause': () => ['range'],
  'supplier:resume': () => ['range'],
  'supplier:restore': () => ['broken'],
  'supplier:route': () => ['range', '--weight', '150'],
  'supplier:remove': () => ['old'],
  'outlet:list': () => [],
  'outlet:add': ({ buyingKey }) => ['agent', '--code', 'shop', '--key', buyingKey, '--settings', SHOP],
  'outlet:set': () => ['hub', 'answerSeconds=2'],
  'outlet:rotate': () => ['hub', '--hours', '24', '--key', 'hush-hush-too'],
  'outlet:pause': () => ['hub'],
  'outlet:resume': () => ['hub'],
  'outlet:remove': () => ['gone'],
  'numbers:list': () => [],
  'numbers:add': ({ path }) => ['range', path('numbers')],
  'numbers:disable': ({ path }) => ['range', path('numbers')],
  'numbers:restore': () => ['--service', 'tg'],
  'sim:list': () => [],
  'sim:add': () => ['phones', '77050000003', '2', 'altel', '--device', 'pixel'],
  'sim:import': ({ path }) => ['phones', path('sims')],
  'sim:retire': () => ['77050000003'],
  'numbers:silent': () => [],
  'numbers:resume': () => ['range'],
  'price:list': () => [],
  'price:preview': () => ['--margin', '35', '--service', 'tg'],
  'price:set': () => ['--margin', '35', '--service', 'tg'],
  'price:remove': () => ['--service', 'tg'],
  'price:export': ({ path }) => [path('prices-out')],
  'price:import': ({ path }) => [path('prices'), '--replace', '--yes'],
  'price:round': () => ['rub', 'pleasant'],
  'rate:list': () => [],
  'rate:set': () => ['usd', '91'],
  'rate:source': () => ['usd', 'https://www.cbr.ru/scripts/XML_daily.asp', '--kind', 'cbr', '--at', 'USD'],
  'gateway:list': () => [],
  'gateway:add': () => ['transfer', '--code', 'bank', '--settings', BANK],
  'gateway:set': () => ['bank', `rows=${JSON.stringify([{ label: { en: 'IBAN', ru: 'Счёт' }, value: '40817' }])}`],
  'gateway:pause': () => ['bank'],
  'gateway:resume': () => ['bank'],
  'chain:plan': () => ['chain'],
  'chain:findings': () => [],
  'chain:settle': () => ['1'],
  'chain:rewind': () => ['chain', '90'],
  'payment:list': () => ['--state', 'open'],
  'payment:show': ({ payments }) => [payments.paid],
  'payment:recheck': ({ payments }) => [payments.pending],
  'payment:settle': ({ payments }) => [payments.pending, '500', '--id', 'bank-1'],
  'payment:refund': ({ payments }) => [payments.paid, '--amount', '10'],
  'payment:refund-cancel': ({ payments }) => [payments.refunded],
  'payment:dispute': ({ payments }) => [payments.paid, '--id', 'case-1', '--amount', '100'],
  'payment:dispute-won': ({ payments }) => [payments.paid, '--id', 'case-1'],
  'payment:dispute-lost': ({ payments }) => [payments.disputed, '--id', 'dispute'],
  'voucher:create': () => ['gift', '2', '100', '--currency', 'rub', '--batch', 'spring'],
  'voucher:withdraw': () => ['spring'],
  'referral:list': () => [],
  'referral:show': ({ referrals }) => [referrals.referrer],
  'referral:approve': ({ referrals }) => [referrals.first],
  'referral:paid': ({ referrals }) => [referrals.first, '--tx', 'f00d'],
  'referral:refuse': ({ referrals }) => [referrals.second],
  'referral:clear': () => [RUB],
  'referral:bar': () => [RUB],
  'bonus:list': () => [],
  'bonus:add': () => ['welcome', 'first', '--currency', 'rub', '--percent', '10', '--most', '1000'],
  'bonus:end': () => ['welcome'],
  'user:show': () => [RUB],
  'user:credit': () => [RUB, '5', '--key', 'gift'],
  'user:key': () => [RUB],
  'key:list': () => ['--user', RUB],
  'key:revoke': ({ key }) => [key],
  'user:role': () => [RUB, 'support'],
  'user:block': () => [RUB],
  'user:unblock': () => [RUB],
  'user:sign-out': () => [RUB],
  'user:two-factor-off': () => [RUB],
  'user:passkeys-off': () => [RUB],
  'user:telegram-off': () => [RUB],
  'user:limit': () => [RUB, '--open', '5'],
  'user:unpause': () => [RUB],
  'user:export': ({ path }) => [RUB, '--file', path('data.zip')],
  'user:erase': () => [RUB],
  'user:erased': () => [],
  'user:erase-again': ({ path }) => [path('erased')],
  'service:list': () => ['--search', 'telegram'],
  'country:list': () => ['--search', 'kazakhstan'],
  'service:block': () => ['tg'],
  'service:unblock': () => ['tg'],
  'sender:list': () => ['--service', 'tg'],
  'sender:set': () => ['tg', 'sender', 'TGNEW'],
  'sender:remove': () => ['tg', 'sender', 'TGNEW'],
  'sender:ignore': () => ['CARRIER'],
  'sender:heed': () => ['CARRIER'],
  'order:list': () => ['--limit', '2'],
  'order:show': ({ finished }) => [finished],
  'order:refund': ({ finished }) => [finished],
  'order:refund-texts': () => ['--since', '3650d'],
  'message:list': () => ['--days', '3650'],
  'message:judge': () => ['--days', '3650'],
  'message:attach': ({ message, waiting }) => [message, waiting],
  'notice:list': () => [],
  'notice:set': () => ['works', '--en', 'We are down tonight', '--until', '2099-01-01'],
  'notice:remove': () => ['works'],
  'news:send': () => ['--ru', 'Новые страны|Добавили пять.', '--en', 'New countries|We have added five.'],
  'status:list': () => [],
  'status:open': () => ['Коды приходят реже', 'Codes arrive less often', '--component', 'codes'],
  // An incident of the world and two rehearsals took the ids before it.
  'status:update': () => ['4', 'Разбираемся', 'We are on it'],
  'status:close': () => ['4'],
  'alarm:list': () => [],
  'alarm:mute': () => ['link-down:range', '--for', '2h'],
  'alarm:unmute': () => ['link-down:range'],
  'buying:stop': () => [],
  'buying:start': () => [],
  'abuse:lookup': () => ['77051234567', '--from', '2026-01-01', '--to', '2026-12-31'],
  'abuse:list': () => [],
  'audit:list': () => [],
}

async function contentOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>({
    text: `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname IN ('public', 'graphile_worker') ORDER BY 1`,
  })
  const hashes = rows.map(
    ({ name }) => `(SELECT md5(COALESCE(string_agg(t::text, '|' ORDER BY t::text), '')) FROM ${name} t)`,
  )
  const content = await pool.query<{ all: string }>({ text: `SELECT ${hashes.join(" || ' ' || ")} AS "all"` })
  return content.rows[0]?.all ?? ''
}

async function balancesOf(pool: Pool): Promise<Map<number, bigint>> {
  const { rows } = await pool.query<{ id: number; micros: bigint }>({
    text: 'SELECT user_id AS id, available_micros AS micros FROM accounts',
  })
  return new Map(rows.map(({ id, micros }) => [id, micros]))
}

async function toldOf(pool: Pool, command: string): Promise<number[]> {
  const { rows } = await pool.query<{ told: number[] | null }>({
    text: `SELECT tells->'balancesOf' AS told FROM audit_log WHERE command = $1 ORDER BY at DESC LIMIT 1`,
    values: [command],
  })
  return rows.flatMap(({ told }) => told ?? [])
}

function objectsIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`no object: ${line}`)
    return [{ ...value }]
  })
}

function oddNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) || /^[a-z][a-z0-9_]*$/.test(name) ? [] : [name]),
    ...oddNames(inner),
  ])
}

test('every command speaks JSON, and every change can be rehearsed without changing anything', async () => {
  await using pool = await openTestPool()
  await using folder = await temporaryFolder()
  const world = await makeWorld(pool, folder)
  await using bank = await openBankHouse()
  await pool.query({
    text: `INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('bank', 'sim-bank', $1, now())`,
    values: [bankSettings(bank.url)],
  })
  await pool.query({
    text: `INSERT INTO incidents (components, notes, opened_at) VALUES ('{codes}', $1::jsonb, now())`,
    values: [JSON.stringify([{ at: new Date().toISOString(), ru: 'Сбой', en: 'Trouble' }])],
  })
  const environment = { DATABASE_URL: pool.connectionString, SECRET_KEY: CLI_SECRET_KEY, DATA_DIR: folder.root }
  const type = (...argv: string[]): Promise<Said> => typedIn(environment, ...argv)
  expect(Object.keys(SAMPLES)).toEqual(commands.map(({ name }) => name))
  for (const { name, changes } of commands) {
    const argv = [name, ...(SAMPLES[name]?.(world) ?? []), ...(changes === true ? WHY : [])]

    const mistyped = await type(...argv, '--nonsense', '--json')
    expect(mistyped, name).toMatchObject({ code: 2, out: '' })
    expect(objectsIn(mistyped.err), name).toMatchObject([{ error: { kind: 'wrong_usage', exit_code: 2 } }])

    if (changes === true) {
      const before = await contentOf(pool)
      const rehearsed = await type(...argv, '--dry-run', '--json')
      expect(rehearsed, name).toMatchObject({ code: 0, err: '' })
      expect(objectsIn(rehearsed.out), name).toMatchObject([{ command: name, changed: true, dry_run: true }])
      const sentence = await type(...argv, '--dry-run')
      expect(sentence.out, name).toMatch(/^Nothing was changed \(--dry-run\)\. It would say: \S/)
      expect(await contentOf(pool), name).toBe(before)

      const balances = await balancesOf(pool)
      const done = await type(...argv, '--json')
      expect(done, name).toMatchObject({ code: 0, err: '' })
      const [told] = objectsIn(done.out)
      expect(told, name).toMatchObject({ command: name, changed: true, dry_run: false, says: expect.any(String) })
      expect(oddNames(told), name).toEqual([])
      expect(await contentOf(pool), name).not.toBe(before)
      // The audit log must name every user whose balance changed, so that open pages are notified.
      const moved = new Map([...(await balancesOf(pool))].filter(([id, micros]) => balances.get(id) !== micros))
      expect(await toldOf(pool, name), name).toEqual(expect.arrayContaining([...moved.keys()]))
      expect(done.out).not.toContain('hush-hush')
      continue
    }
    const said = await type(...argv, '--json')
    expect(said, name).toMatchObject({ code: 0, err: '' })
    const told = objectsIn(said.out)
    expect(told.length, name).toBeGreaterThan(0)
    expect(told.flatMap(oddNames), name).toEqual([])
  }
})

test('a refusal is one object on the error output, with the exit code', async () => {
  await using pool = await openTestPool()
  const environment = { DATABASE_URL: pool.connectionString, SECRET_KEY: CLI_SECRET_KEY }
  const { code, out, err } = await typedIn(environment, 'user:block', 'nobody@ringpost.test', ...WHY, '--json')
  expect({ code, out, told: objectsIn(err) }).toEqual({
    code: 1,
    out: '',
    told: [{ error: { kind: 'refused', message: 'There is no user nobody@ringpost.test', exit_code: 1 } }],
  })
})
