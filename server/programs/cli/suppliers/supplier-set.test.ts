import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { resealSettings } from '#server/core/catalog/offers/queries.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { systemRandom } from '#server/house/clock.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { openTestPool } from '#test/books/books.ts'
import { COMMAND_ID, connectPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { auditOf, CLI_SECRET_KEY, typed, typedIn, WHY } from '#test/harness/typed.ts'

const SETTINGS = {
  mode: 'client',
  currency: 'rub',
  services: [{ code: 'tg', cost: '9.50' }],
  hosts: [{ host: 'smpp.carrier.example', port: 3550 }],
  systemId: 'ringpost',
  password: 'first secret',
}
const LISTENING = {
  mode: 'server',
  currency: 'rub',
  services: [],
  listen: { port: 0 },
  peers: [{ systemId: 'bank', password: 'first secret' }],
  wrongPasswordDelaySeconds: 0.01,
}

const add = (database: { connectionString: string }, settings: object) =>
  typed(database, 'supplier:add', 'smpp', '--code', 'ours', '--settings', JSON.stringify(settings), ...WHY)

async function storedOf(pool: Pool) {
  const { rows } = await pool.query<{ settings: Record<string, unknown>; settings_version: number }>({
    text: `SELECT settings, settings_version FROM suppliers WHERE code = 'ours'`,
  })
  const [row] = rows
  if (row === undefined) throw new Error('there is no such supplier')
  return row
}

test('settings are changed one by one, by their kind: text, JSON, the text of a file, or taken away', async () => {
  await using pool = await openTestPool()
  await using folder = await temporaryFolder()
  await add(pool, SETTINGS)
  await writeFile(folder.path('password'), '12345678\n')
  await writeFile(folder.path('ca.pem'), '-----BEGIN CERTIFICATE-----\nabc\n')
  const set = (...changes: string[]) => typed(pool, 'supplier:set', 'ours', ...changes, ...WHY)
  const said = await set(
    `password=@${folder.path('password')}`,
    'systemId=007',
    'partsWaitSeconds=60',
    'hosts=[{"host":"b.example","port":1}]',
    `tls.ca=@${folder.path('ca.pem')}`,
    'tls.serverName=smpp=b',
  )
  expect(said).toEqual({
    code: 0,
    out: 'Changed password, systemId, partsWaitSeconds, hosts, tls.ca, tls.serverName of the supplier ours.\n',
    err: '',
  })
  const changed = {
    ...SETTINGS,
    password: '12345678',
    systemId: '007',
    partsWaitSeconds: 60,
    hosts: [{ host: 'b.example', port: 1 }],
    tls: { ca: '-----BEGIN CERTIFICATE-----\nabc', serverName: 'smpp=b' },
  }
  const stored = await storedOf(pool)
  expect(unseal(stored.settings, [CLI_SECRET_KEY]).value).toEqual(changed)
  expect(stored.settings_version).toBe(2)
  expect(await set('tls=null', 'password="quoted"')).toMatchObject({ code: 0 })
  const { tls: _, ...withoutTls } = changed
  expect(unseal((await storedOf(pool)).settings, [CLI_SECRET_KEY]).value).toEqual({ ...withoutTls, password: 'quoted' })
  expect(await set('password="quoted"')).toMatchObject({
    code: 0,
    out: 'The supplier ours has these settings already.\n',
  })
  const audit = await auditOf(pool)
  expect(audit.map(({ command, detail }) => [command, detail])).toMatchObject([
    ['supplier:add', {}],
    ['supplier:set', { settings: ['password', 'systemId', 'partsWaitSeconds', 'hosts', 'tls.ca', 'tls.serverName'] }],
    ['supplier:set', { settings: ['tls', 'password'] }],
  ])
  for (const secret of ['12345678', 'quoted', 'BEGIN', 'b.example']) expect(JSON.stringify(audit)).not.toContain(secret)
})

test.each([
  [['nobody', 'password=x'], 1, 'There is no supplier nobody'],
  [['ours', 'passwrod=hunter2'], 1, 'passwrod'],
  [['ours', 'systemId=longer-than-fifteen-letters'], 1, 'systemId'],
  [['ours', 'hosts=[]'], 1, 'hosts'],
  [['ours', 'password=null'], 1, 'password'],
  [['ours', 'password=@/nowhere/hunter2'], 1, 'The settings cannot be read from /nowhere/hunter2'],
  [['ours', 'systemId.part=hunter2'], 2, 'The setting systemId has no parts'],
  [['ours', 'systemId=x', 'hunter2'], 2, 'Setting 2 is not written as KEY=VALUE'],
  [['ours', '__proto__=hunter2'], 2, 'Setting 1 is not written as KEY=VALUE'],
  [['ours'], 2, 'KEY=VALUE is missing'],
])('what the kind would not take is refused, and nothing changes: %j', async (argv, code, sentence) => {
  await using pool = await openTestPool()
  await add(pool, SETTINGS)
  const before = await storedOf(pool)
  const said = await typed(pool, 'supplier:set', ...argv, ...WHY)
  expect(said).toMatchObject({ code, out: '', err: expect.stringContaining(sentence) })
  if (!sentence.includes('hunter2')) expect(said.err).not.toContain('hunter2')
  expect(await storedOf(pool)).toEqual(before)
  expect(await auditOf(pool)).toHaveLength(1)
})

test('settings are opened with a key that was replaced, sealed with the new one, and with a wrong one left alone', async () => {
  await using pool = await openTestPool()
  const [oldKey, newKey] = ['a first secret of 32 characters or more', 'another secret of 32 characters or more']
  const type = (environment: Record<string, string>, ...argv: string[]) =>
    typedIn({ DATABASE_URL: pool.connectionString, ...environment }, ...argv, ...WHY)
  const settings = ['--settings', JSON.stringify(SETTINGS)]
  await type({ SECRET_KEY: oldKey }, 'supplier:add', 'smpp', '--code', 'ours', ...settings)
  const set = (environment: Record<string, string>) => type(environment, 'supplier:set', 'ours', 'password=second')
  expect(await set({ SECRET_KEY: newKey })).toMatchObject({
    code: 1,
    err: expect.stringContaining('SECRET_KEY is not the one that this database was made with'),
  })
  expect(await set({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey })).toMatchObject({ code: 0 })
  const stored = await storedOf(pool)
  expect(unseal(stored.settings, [newKey])).toEqual({ value: { ...SETTINGS, password: 'second' }, outdated: false })
})

test('a key that the server would refuse is refused in the same words', async () => {
  await using pool = await openTestPool()
  const environment = { DATABASE_URL: pool.connectionString, SECRET_KEY: 'hunter2' }
  const argv = ['supplier:add', 'smpp', '--code', 'ours', '--settings', JSON.stringify(SETTINGS), ...WHY]
  expect(await typedIn(environment, ...argv)).toEqual({
    code: 1,
    out: '',
    err: 'SECRET_KEY must have at least 32 characters\n',
  })
  expect((await pool.query({ text: 'SELECT FROM suppliers' })).rowCount).toBe(0)
})

function portOf(t: TestApp): number {
  const [supplier] = suppliersOf(t.ctx).all()
  if (supplier === undefined || !('port' in supplier)) throw new Error('no supplier listens')
  return Number(supplier.port)
}

async function bindsWith(t: TestApp, password: string): Promise<boolean> {
  await using peer = await connectPeer(portOf(t))
  const { status } = await peer.request('bind_transmitter', { system_id: 'bank', password })
  return status === 0
}

test('a running server starts a supplier again whose settings have changed, and goes on with the earlier ones where the new do not work', async () => {
  await using t = await startTestApp()
  const look = await followChanges(t.ctx)
  const { connectionString } = t.database
  await add(t.database, LISTENING)
  await look()
  await using peer = await connectPeer(portOf(t))
  await peer.request('bind_transmitter', { system_id: 'bank', password: 'first secret' })
  const farewell = peer.next(COMMAND_ID.unbind)

  const set = (...changes: string[]) => typed({ connectionString }, 'supplier:set', 'ours', ...changes, ...WHY)
  expect(await set('peers=[{"systemId":"bank","password":"second secret"}]')).toMatchObject({ code: 0 })
  await look()
  await farewell
  await peer.closed
  expect([await bindsWith(t, 'first secret'), await bindsWith(t, 'second secret')]).toEqual([false, true])

  const port = portOf(t)
  await typed(t.database, 'price:set', '--margin', '20', ...WHY)
  await look()
  expect(portOf(t)).toBe(port)

  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  using _ = {
    [Symbol.dispose]: () => {
      taken.close()
    },
  }
  const { port: takenPort } = taken.address() as AddressInfo
  expect(await set(`listen.port=${takenPort}`)).toMatchObject({ code: 0 })
  await look()
  expect(await bindsWith(t, 'second secret')).toBe(true)
  await set('listen.port=0', 'peers=[{"systemId":"bank","password":"third secret"}]')
  await look()
  expect(await bindsWith(t, 'third secret')).toBe(true)
})

test('what a start seals anew is not put back over settings that were changed meanwhile', async () => {
  await using pool = await openTestPool()
  await add(pool, SETTINGS)
  const { rows } = await pool.query<{ id: number }>({ text: 'SELECT id FROM suppliers' })
  const read = { id: rows[0]?.id ?? 0, ...(await storedOf(pool)) }
  await typed(pool, 'supplier:set', 'ours', 'password=second', ...WHY)
  const changed = await storedOf(pool)
  await resealSettings(pool, { ...read, settings: seal(SETTINGS, CLI_SECRET_KEY, systemRandom) })
  expect(await storedOf(pool)).toEqual(changed)
  const resealed = { sealed: 'anew' }
  await resealSettings(pool, { ...read, ...changed, settings: resealed })
  expect(await storedOf(pool)).toEqual({ settings: resealed, settings_version: changed.settings_version })
})
