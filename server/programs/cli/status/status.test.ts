import { expect, test } from 'vitest'
import { readStatus } from '#server/surfaces/site/status/follow-status.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('an incident is told by command, in the language of the reader, until it is over; the feed has each note', async () => {
  await using t = await startTestApp({ environment: { PUBLIC_URL: 'https://ringpost.test' } })
  const run = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  // The command line uses the clock of the machine.
  t.clock.advance(Date.now() - t.clock.now().getTime())
  const incidents = async (locale: 'ru' | 'en' = 'en') => {
    await readStatus(t.ctx)
    return (await call(t, 'GET /api/v1/status', {}, { locale })).incidents
  }
  const open = [
    'status:open',
    'Коды Telegram задерживаются',
    'Codes of <Telegram> & co are late',
    '--component',
    'links,codes',
  ]
  expect(await run(...open, '--dry-run')).toMatchObject({ code: 0 })
  expect(await incidents()).toEqual([])
  const said = (await run(...open)).out
  const id = /^Incident (\d+) is shown/.exec(said)?.[1] ?? said
  expect(await run('status:update', id, 'Меняем канал', 'We change the link')).toMatchObject({ code: 0 })
  expect(await incidents('ru')).toMatchObject([
    {
      id: Number(id),
      components: ['codes', 'links'],
      closed_at: null,
      notes: [{ text: 'Коды Telegram задерживаются' }, { text: 'Меняем канал' }],
    },
  ])
  expect((await typed(t.database, 'status:list')).out).toContain('under way')
  expect(await run('status:close', id)).toMatchObject({ code: 0 })
  expect(await incidents()).toMatchObject([
    { closed_at: expect.any(String), notes: [{}, { text: 'We change the link' }, { text: 'Everything works again.' }] },
  ])
  expect(await run('status:close', id)).toMatchObject({ code: 1 })
  expect(await run('status:update', '99', 'а', 'b')).toMatchObject({ code: 1 })

  const feed = await t.fetch('/status.rss')
  expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const xml = await feed.text()
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2\.0"/)
  expect([...xml.matchAll(/<guid isPermaLink="false">([^<]*)<\/guid>/g)].map(([, guid]) => guid)).toEqual([
    `https://ringpost.test/status#incident-${id}-3`,
    `https://ringpost.test/status#incident-${id}-2`,
    `https://ringpost.test/status#incident-${id}-1`,
  ])
  expect(xml).toContain('<title>Закончилось: Коды Telegram задерживаются</title>')
  expect(xml.match(/<pubDate>\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/g)).toHaveLength(3)

  expect((await auditOf(t.ctx.db)).map(({ command, subject }) => [command, subject])).toEqual([
    ['status:open', `incident:${id}`],
    ['status:update', `incident:${id}`],
    ['status:close', `incident:${id}`],
  ])
})

test.each([
  [['status:open', 'а', 'b', '--component', 'codes,nothing']],
  [['status:open', 'а', ' ', '--component', 'codes']],
  [['status:open', 'а', 'x'.repeat(501), '--component', 'codes']],
  [['status:open', 'а', 'b\nc', '--component', 'codes']],
  [['status:update', 'one', 'а', 'b']],
])('a wrong command tells nothing: case %#', async (argv) => {
  await using t = await startTestApp()
  expect(await typed(t.database, ...argv, ...WHY)).toMatchObject({ code: 2 })
  expect((await t.ctx.db.query({ text: 'SELECT FROM incidents' })).rowCount).toBe(0)
})
