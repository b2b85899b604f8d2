import { expect, test } from 'vitest'
import type { StatusReply } from '#contract/status/status.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { startPostgresProxy, type Treatment } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { followStatus } from './follow-status.ts'

test('while PostgreSQL is away the status is shown from memory, as old and with orders down, and recovers by itself', async () => {
  let treatment: Treatment = 'pass'
  await using database = await createTestDatabase()
  await using proxy = await startPostgresProxy(database.connectionString, () => treatment)
  const behindProxy = { ...database, connectionString: proxy.connectionString }
  await using t = await startTestApp({ database: behindProxy })
  await t.addFake()
  const user = await t.makeUser()
  await followStatus(t.ctx)
  const measuredAt = t.clock.now().toISOString()
  const shown = async (path = '/status.json') => {
    const response = await t.fetch(path, { token: user.token })
    expect([path, response.status]).toEqual([path, 200])
    return response
  }
  const read = async () => {
    const { old, measured_at: at, components } = (await (await shown()).json()) as StatusReply
    return { old, at, orders: components.find(({ id }) => id === 'orders')?.state }
  }
  expect(await read()).toEqual({ old: false, at: measuredAt, orders: 'working' })

  treatment = 'starting'
  proxy.cutAll()
  for (let passed = 0; passed < 3; passed += 1) {
    t.clock.advance(MINUTE)
    await expect(followStatus(t.ctx)).rejects.toThrow()
    expect(await read()).toEqual({ old: true, at: measuredAt, orders: 'down' })
    expect(await (await shown('/status.rss')).text()).toContain('<rss version="2.0"')
    const told = (await (await shown('/api/v1/status')).json()) as StatusReply
    expect(told).toMatchObject({ old: true, state: 'down' })
    expect(told.components.map(({ state }) => state)).not.toContain('working')
  }

  treatment = 'pass'
  await expect
    .poll(async () => {
      t.clock.advance(SECOND)
      await followStatus(t.ctx).catch(() => undefined)
      return read()
    })
    .toMatchObject({ old: false, orders: 'working' })
  const { components } = (await (await shown()).json()) as StatusReply
  // Minutes without the database are minutes without orders, and tell nothing about the other parts.
  const downOf = (id: string) => components.find((one) => one.id === id)?.days.map(({ down }) => down)
  expect([downOf('orders'), downOf('mails')]).toEqual([[expect.any(Number)], [0]])
  expect(downOf('orders')?.[0]).toBeGreaterThanOrEqual(2)
})
