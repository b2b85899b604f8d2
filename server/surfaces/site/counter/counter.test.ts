import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

// Checklist 7.6: GET /api/util/counter returns the counter snippets.
test('snippets are given as they were written, to visitors alone', async () => {
  await using folder = await temporaryFolder()
  const file = folder.path('counters.html')
  await writeFile(file, '<!-- ours -->\n<script>count(1 < 2)</script>\n\n<script>\n  again()\n</script>\n')
  await using t = await startTestApp({ environment: { COUNTER_SNIPPETS_FILE: file } })
  expect(await call(t, 'GET /api/util/counter', {})).toEqual({ status: true, code: ['count(1 < 2)', '\n  again()\n'] })
  const hash = createHash('sha256').update('count(1 < 2)').digest('base64')
  expect(t.ctx.config.counter.snippets[0]?.hash).toBe(`sha256-${hash}`)
  const { token } = await t.makeUser()
  expect(await call(t, 'GET /api/util/counter', {}, { token })).toEqual({ status: true, code: [] })
})

test('without a file there are none', async () => {
  await using t = await startTestApp()
  expect(await call(t, 'GET /api/util/counter', {})).toEqual({ status: true, code: [] })
})

test('what cannot be put into the page, or into its policy, is refused at start', async () => {
  await using folder = await temporaryFolder()
  const file = folder.path('counters.html')
  const start = (environment: Record<string, string>) => readConfig({ DEMO: '1', ...environment })
  for (const text of ['', '<script src="https://x.test/a.js"></script>', '<script>a()</script><img src="x">']) {
    await writeFile(file, text)
    expect(() => start({ COUNTER_SNIPPETS_FILE: file }), text).toThrow('COUNTER_SNIPPETS_FILE must name a file')
  }
  expect(() => start({ COUNTER_SNIPPETS_FILE: folder.path('none') })).toThrow('COUNTER_SNIPPETS_FILE cannot be')
  for (const hosts of ["https://x.test 'unsafe-inline'", 'https://x.test/path', 'http://x.test', '*']) {
    expect(() => start({ COUNTER_HOSTS: hosts }), hosts).toThrow('COUNTER_HOSTS must be origins')
  }
  expect(start({ COUNTER_HOSTS: 'https://x.test, https://y.test:8443' }).config.counter.hosts).toEqual([
    'https://x.test',
    'https://y.test:8443',
  ])
  for (const dsn of ['x', 'https://x.test/1', 'http://key@x.test/1', 'https://key:secret@x.test/1']) {
    expect(() => start({ SENTRY_DSN: dsn }), dsn).toThrow('SENTRY_DSN must look like')
  }
  expect(start({ SENTRY_DSN: 'https://key@x.test/1' }).config.sentryDsn).toBe('https://key@x.test/1')
})
