import { expect, test } from 'vitest'
import type { Mail } from '#contract/mails.ts'
import { SECOND } from '#contract/time.ts'
import { DEMO_MAILS_KEPT, keepDemoMail } from '#server/house/mail/demo-mail-queries.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

async function mail(t: TestApp, to: string, mail: Mail): Promise<void> {
  await queueMail(t.ctx, t.ctx.db, { to, locale: 'en', mail })
  await t.runJobs()
}

async function readText(t: TestApp, path: string, headers: HeadersInit = {}): Promise<string> {
  const response = await t.fetch(path, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

test('GET /demo/mail.json: what was mailed, newest first', async () => {
  await using t = await startTestApp()
  expect(await (await t.fetch('/demo/mail.json')).json()).toEqual([])
  const first = t.clock.now().toISOString()
  await mail(t, 'anna@example.org', { kind: 'verify-email', code: '048213' })
  t.clock.advance(SECOND)
  await mail(t, 'boris@example.org', { kind: 'two-factor-on' })
  const response = await t.fetch('/demo/mail.json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual([
    {
      to: 'boris@example.org',
      subject: 'Two-factor login to Ringpost is on',
      text: expect.stringContaining('recovery codes'),
      html: expect.stringContaining('recovery codes'),
      at: t.clock.now().toISOString(),
    },
    {
      to: 'anna@example.org',
      subject: '048213 is your Ringpost code',
      text: expect.stringContaining('048213'),
      html: expect.stringContaining('048213'),
      at: first,
    },
  ])
})

test('GET /demo/mail: a list in the language of the visitor that runs nothing', async () => {
  await using t = await startTestApp()
  expect(await readText(t, '/demo/mail', { cookie: 'locale=en' })).toContain('No e-mails yet.')
  await mail(t, 'anna@example.org', { kind: 'verify-email', code: '048213' })
  expect(await readText(t, '/demo/mail', { 'accept-language': 'en-US' })).toContain('<html lang="en">')
  const page = await t.fetch('/demo/mail', { headers: { cookie: 'locale=ru', 'accept-language': 'en-US' } })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self';/)
  const text = await page.text()
  expect(text).toContain('<html lang="ru">')
  expect(text).toContain('Письма демо')
  const [, href = ''] = /href="(\/demo\/mail\/\d+)"/.exec(text) ?? []
  const opened = await readText(t, href, { cookie: 'locale=ru' })
  expect(opened).toContain('anna@example.org')
  expect(opened).toContain(`sandbox="allow-popups allow-popups-to-escape-sandbox"`)
  const letter = await t.fetch(`${href}/letter`)
  expect(letter.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline';/,
  )
  expect(await letter.text()).toMatch(/^<!doctype html>[\s\S]*048213/)
})

test('what a stranger wrote stays text on the page', async () => {
  await using t = await startTestApp()
  const hostile = `"><script>alert('1')</script>&`
  await keepDemoMail(t.ctx.db, {
    messageId: '<one@localhost>',
    from: 'x@localhost',
    to: hostile,
    subject: hostile,
    text: hostile,
    html: '<p>letter</p>',
    sentAt: t.clock.now(),
  })
  const list = await readText(t, '/demo/mail')
  const [, href = ''] = /href="(\/demo\/mail\/\d+)"/.exec(list) ?? []
  for (const page of [list, await readText(t, href)]) {
    expect(page).not.toContain('<script')
    expect(page).toContain('&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;')
  }
})

test('the newest are kept, and only so many', async () => {
  await using t = await startTestApp()
  for (let turn = 0; turn < DEMO_MAILS_KEPT + 3; turn += 1) {
    await keepDemoMail(t.ctx.db, {
      messageId: `<${turn}@localhost>`,
      from: 'x@localhost',
      to: 'anna@example.org',
      subject: `mail ${turn}`,
      text: '',
      html: '',
      sentAt: t.clock.now(),
    })
  }
  const mails = (await (await t.fetch('/demo/mail.json')).json()) as { subject: string }[]
  expect(mails).toHaveLength(DEMO_MAILS_KEPT)
  expect(mails[0]?.subject).toBe(`mail ${DEMO_MAILS_KEPT + 2}`)
  expect(mails.at(-1)?.subject).toBe('mail 3')
})

test('a mail that is not there is 404', async () => {
  await using t = await startTestApp()
  for (const id of ['1', '1/letter', 'x', '-1', '0', '1.5', '99999999999999999999', '%00', '1%2fletter']) {
    const response = await t.fetch(`/demo/mail/${id}`)
    expect({ id, status: response.status }).toEqual({ id, status: 404 })
  }
})

test('outside the demo there is no such page', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await keepDemoMail(t.ctx.db, {
    messageId: '<one@localhost>',
    from: 'x@localhost',
    to: 'anna@example.org',
    subject: 'secret',
    text: 'secret',
    html: 'secret',
    sentAt: t.clock.now(),
  })
  for (const path of ['/demo/mail', '/demo/mail.json', '/demo/mail/1', '/demo/mail/1/letter']) {
    const response = await t.fetch(path)
    expect({ path, status: response.status }).toEqual({ path, status: 404 })
    expect(await response.text()).not.toContain('secret')
  }
})
