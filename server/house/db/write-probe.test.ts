import { expect, inject, test } from 'vitest'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { queryOnce } from '#test/harness/postgres/temporary-postgres.ts'
import '#test/harness/global-setup.ts'

const readyOf = async (t: TestApp) => (await t.fetch('/readyz')).status

function superuserUrl(t: TestApp): string {
  const url = new URL(inject('postgres').superuserUrl)
  url.pathname = `/${t.database.name}`
  return url.href
}

const saidOf = (t: TestApp) => t.log.lines.filter(({ level }) => level === 'warn' || level === 'error')

test('R-G: /readyz says 503 while the disk is full, until a write that needs space is taken', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser()
  // Simulates a full disk: a trigger refuses purchases, and an event trigger refuses statements that need new pages.
  await queryOnce(
    superuserUrl(t),
    `CREATE FUNCTION full_row() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON activations EXECUTE FUNCTION full_row();
     CREATE FUNCTION full_file() RETURNS event_trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
     CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION full_file()`,
  )
  expect(await readyOf(t)).toBe(200)
  const buy = () =>
    t.fetch('/api/v1/activations', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: 'tg', country_id: 2 }),
    })
  expect((await buy()).status).toBe(503)
  expect((await t.fetch('/api/user', { token })).status).toBe(200)
  expect([await readyOf(t), await readyOf(t)]).toEqual([503, 503])
  expect((await buy()).status).toBe(503)
  expect(saidOf(t).map(({ sentence }) => sentence)).toEqual(['the database takes no writes'])
  await queryOnce(superuserUrl(t), 'DROP EVENT TRIGGER full_disk; DROP TRIGGER full_disk ON activations')
  expect(await readyOf(t)).toBe(200)
  expect((await buy()).status).toBe(201)
  expect(saidOf(t).map(({ sentence }) => sentence)).toEqual([
    'the database takes no writes',
    'the database takes writes again',
  ])
})

test('R-G: the same with a server that became read-only; the probe leaves nothing behind', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser()
  const readOnly = (value: 'on' | 'off') =>
    queryOnce(
      inject('postgres').superuserUrl,
      `ALTER DATABASE ${t.database.name} SET default_transaction_read_only = ${value}`,
    )
  const reconnect = async () => {
    await queryOnce(
      inject('postgres').superuserUrl,
      `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = '${t.database.name}'`,
    )
    await expect.poll(() => t.ctx.db.pg.totalCount).toBe(0)
  }
  await readOnly('on')
  await reconnect()
  const refused = await t.fetch('/api/v1/activations', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_id: 'tg', country_id: 2 }),
  })
  expect(refused.status).toBe(503)
  expect(await readyOf(t)).toBe(503)
  await readOnly('off')
  await reconnect()
  expect(await readyOf(t)).toBe(200)
  await call(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })
  const left = await t.ctx.db.query({ text: `SELECT FROM pg_class WHERE relname = 'write_probe'` })
  expect(left.rowCount).toBe(0)
})
