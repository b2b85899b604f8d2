import { LRUCache } from 'lru-cache'
import { expect, test, vi } from 'vitest'
import { MEBIBYTE } from '#contract/time.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestUser } from '#test/harness/harness.ts'
import { renderMessage } from './render-message.ts'

test('what is kept of rendered texts is bounded by their length', () => {
  using set = vi.spyOn(LRUCache.prototype, 'set')
  const quotes = '"'.repeat(9_900)
  for (let n = 0; n < 300; n += 1) renderMessage(`${n} ${quotes}`)
  const [cache] = set.mock.contexts
  if (!(cache instanceof LRUCache)) throw new Error('nothing was kept')
  let letters = 0
  for (const [body, html] of cache.entries()) letters += String(body).length + String(html).length
  expect(letters).toBeGreaterThan(0)
  expect(letters * 2).toBeLessThan(16 * MEBIBYTE)
})

test('other requests have a turn between two messages, on the page of the member and on that of staff', async () => {
  await using t = await startTestApp()
  const [user, staff] = [await t.makeUser(), await makeStaff(t, 'support')]
  const wish = { category: 'other' as const, subject: 's', text: 'first' }
  const { id } = (await call(t, 'POST /api/v1/support/tickets', wish, { token: user.token })).data
  const pages = [
    { who: user, key: 'GET /api/v1/support/tickets/{id}' },
    { who: staff, key: 'GET /api/v1/staff/tickets/{id}' },
  ] as const
  for (const { who, key } of pages) {
    await t.ctx.db.query({
      text: `INSERT INTO support_messages (ticket_id, author_id, kind, body, created_at)
        SELECT $1, $2, 'member', gen_random_uuid()::text, now() FROM generate_series(1, 4)`,
      values: [id, user.id],
    })
    expect(await turnsBetween(() => call(t, key, { id }, tokenOf(who)))).toEqual([true, true, true])
  }
})

const tokenOf = ({ token }: TestUser) => ({ token })

async function turnsBetween(work: () => Promise<unknown>): Promise<boolean[]> {
  using set = vi.spyOn(LRUCache.prototype, 'set')
  const between: boolean[] = []
  let seen: number | null = null
  let isOver = false
  const look = () => {
    const rendered = set.mock.calls.filter(([, html]) => typeof html === 'string' && html.startsWith('<p>')).length
    if (seen !== null) {
      for (let n = seen; n < rendered; n += 1) between.push(n === seen)
    }
    seen = rendered
    if (!isOver) setImmediate(look)
  }
  look()
  await work()
  isOver = true
  return between.slice(1)
}
