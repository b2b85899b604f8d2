import { expect, test } from 'vitest'
import type { Mail } from '#contract/mails.ts'
import { MINUTE } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { sentMails } from '#test/builders/mails.ts'
import { startMailServer } from '#test/fakes/mail-server.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listDemoMails } from './demo-mail-queries.ts'
import { queueMail } from './queue-mail.ts'
import { openSmtp } from './smtp.ts'

const code: Mail = { kind: 'verify-email', code: '048213' }
const notice: Mail = { kind: 'two-factor-on' }

function queue(t: TestApp, mail: Mail, to = 'anna@example.org'): Promise<void> {
  return queueMail(t.ctx, t.ctx.db, { to, locale: 'ru', mail })
}

async function listJobs(t: TestApp) {
  const { rows } = await t.ctx.db.query<{
    attempts: number
    last_error: string | null
    queue: string
    payload: string
  }>({
    text: `SELECT jobs.attempts, jobs.last_error, queues.queue_name AS queue, jobs.payload::text AS payload
      FROM graphile_worker._private_jobs jobs
      LEFT JOIN graphile_worker._private_job_queues queues ON queues.id = jobs.job_queue_id ORDER BY jobs.id`,
  })
  return rows
}

async function makeDue(t: TestApp): Promise<void> {
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
}

test('what was queued arrives, in the language of the person', async () => {
  await using t = await startTestApp({ config: { demo: false, mailFrom: 'Ringpost <no-reply@numbers.example>' } })
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  await queue(t, code)
  await t.runJobs({ smtp })
  expect(server.received).toHaveLength(1)
  const [got] = server.received
  expect(got).toMatchObject({ from: 'no-reply@numbers.example', to: ['anna@example.org'], secure: true })
  expect(got?.mail.subject).toBe('048213 — код Ringpost')
  expect(got?.mail.text).toContain('Введите его на сайте, чтобы завершить регистрацию.')
  expect(got?.mail.html).toContain('>048213</p>')
  expect(got?.mail.date).toEqual(t.clock.now())
  expect(await listJobs(t)).toEqual([])
  expect(await listDemoMails(t.ctx.db)).toEqual([])
})

test('while it waits nobody can read it in the database', async () => {
  await using t = await startTestApp()
  await queue(t, code)
  const [job] = await listJobs(t)
  expect(job?.payload).not.toMatch(/048213|anna|verify/)
  expect(await sentMails(t)).toEqual([{ to: 'anna@example.org', locale: 'ru', mail: code }])
})

test('a mail is committed with its cause, or not at all', async () => {
  await using t = await startTestApp()
  const failed = transaction(t.ctx.db, async (tx) => {
    await queueMail(t.ctx, tx, { to: 'anna@example.org', locale: 'ru', mail: code })
    throw new Error('the cause failed')
  })
  await expect(failed).rejects.toThrow('the cause failed')
  expect(await sentMails(t)).toEqual([])
  await transaction(t.ctx.db, (tx) => queueMail(t.ctx, tx, { to: 'anna@example.org', locale: 'en', mail: notice }))
  expect(await sentMails(t)).toEqual([{ to: 'anna@example.org', locale: 'en', mail: notice }])
})

test('a refused recipient is not tried again, and the log does not say who', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  server.answers.set('anna@example.org', '550 5.1.1 <anna@example.org> is unknown')
  await queue(t, code)
  await t.runJobs({ smtp })
  expect(await listJobs(t)).toEqual([])
  expect(server.asked).toEqual(['anna@example.org'])
  expect(server.received).toEqual([])
  expect(t.log.lines).toContainEqual({
    level: 'warn',
    fields: { to: 'a***@example.org', kind: 'verify-email', reply: '550 5.1.1' },
    sentence: 'a mail was refused for good',
  })
  expect(JSON.stringify(t.log.lines)).not.toMatch(/anna|048213/)
})

test('a deferred recipient is tried again, and gets the same letter once', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  server.answers.set('anna@example.org', '451 4.7.1 <anna@example.org> greylisted')
  await queue(t, code)
  await t.runJobs({ smtp })
  const [job] = await listJobs(t)
  expect(job).toMatchObject({ attempts: 1, last_error: expect.stringContaining('451 4.7.1, after RCPT TO') })
  expect(job?.last_error).not.toContain('anna')
  expect(server.received).toEqual([])
  server.answers.clear()
  await makeDue(t)
  await t.runJobs({ smtp })
  await t.runJobs({ smtp })
  expect(server.received).toHaveLength(1)
  expect(await listJobs(t)).toEqual([])
  expect(JSON.stringify(t.log.lines)).not.toMatch(/anna|048213/)
})

test('a letter that may have arrived is repeated under the same Message-ID', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  server.afterData = '451 4.3.0 perhaps'
  await queue(t, notice)
  await t.runJobs({ smtp })
  server.afterData = null
  await makeDue(t)
  await t.runJobs({ smtp })
  await queue(t, notice)
  await t.runJobs({ smtp })
  const [first, repeat, another] = server.received.map(({ mail }) => mail.messageId)
  expect(first).toMatch(/^<[0-9a-f]{32}@ringpost\.example>$/)
  expect(repeat).toBe(first)
  expect(another).not.toBe(first)
  expect(new Set(server.received.map(({ mail }) => mail.date?.getTime())).size).toBe(1)
})

test('a mail server that was away gets it when it is back', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  const before = await startMailServer()
  await before[Symbol.asyncDispose]()
  await using smtp = await openSmtp(before.url())
  await queue(t, notice)
  await t.runJobs({ smtp })
  expect(await listJobs(t)).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') }])
  await using back = await startMailServer({}, before.port)
  await makeDue(t)
  await t.runJobs({ smtp })
  expect(back.received).toHaveLength(1)
  expect(await listJobs(t)).toEqual([])
})

test.each([
  { mail: code, minutes: 10 },
  { mail: { kind: 'link-email', code: '111111' }, minutes: 10 },
  { mail: { kind: 'reset-password', url: 'https://numbers.example/' }, minutes: 60 },
] satisfies { mail: Mail; minutes: number }[])(
  '$mail.kind is not sent after $minutes minutes',
  async ({ mail, minutes }) => {
    await using t = await startTestApp()
    await queue(t, mail)
    t.clock.advance(minutes * MINUTE - 1)
    await t.runJobs()
    expect(await listDemoMails(t.ctx.db)).toHaveLength(1)
    await queue(t, mail)
    t.clock.advance(minutes * MINUTE)
    await t.runJobs()
    expect(await listDemoMails(t.ctx.db)).toHaveLength(1)
    expect(await listJobs(t)).toEqual([])
    expect(t.log.lines).toContainEqual({
      level: 'warn',
      fields: { to: 'a***@example.org', kind: mail.kind },
      sentence: 'a mail could not be sent before it was of no use',
    })
  },
)

test('a notice is sent however late', async () => {
  await using t = await startTestApp()
  await queue(t, notice)
  t.clock.advance(40 * 60 * MINUTE)
  await t.runJobs()
  expect(await listDemoMails(t.ctx.db)).toHaveLength(1)
})

test('what an older SECRET_KEY sealed is still sent', async () => {
  await using t = await startTestApp()
  await queue(t, code)
  const { secretKey } = t.ctx.secrets
  Object.assign(t.ctx.secrets, { secretKey: 'another secret of tests, as long', previousSecretKeys: [secretKey] })
  await t.runJobs()
  expect(await listDemoMails(t.ctx.db)).toMatchObject([{ to: 'anna@example.org', subject: '048213 — код Ringpost' }])
})

test('what no key opens waits, and is not lost', async () => {
  await using t = await startTestApp()
  await queue(t, code)
  Object.assign(t.ctx.secrets, { secretKey: 'another secret of tests, as long' })
  await t.runJobs()
  expect(await listJobs(t)).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('SECRET_KEY') }])
})

test('a mail that was tried as often as it may be is forgotten, and the operator told', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await queue(t, notice)
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1' })
  await cleanUp(t.ctx)
  expect(await listJobs(t)).toHaveLength(1)
  await t.runJobs()
  expect(await listJobs(t)).toMatchObject([{ attempts: 20 }])
  await cleanUp(t.ctx)
  expect(await listJobs(t)).toEqual([])
  expect(t.log.lines).toContainEqual({
    level: 'error',
    fields: { unsent: 1 },
    sentence: 'mails were given up: the mail server took them at no attempt',
  })
})

test('mails hold at most two workers, and one person gets them in order', async () => {
  await using t = await startTestApp()
  for (let person = 0; person < 20; person += 1) await queue(t, notice, `buyer-${person}@example.org`)
  await queue(t, code, 'buyer-3@example.org')
  const queues = (await listJobs(t)).map((job) => job.queue)
  expect([...new Set(queues)].sort()).toEqual(['mail-0', 'mail-1'])
  expect(queues[20]).toBe(queues[3])
})

test('with SMTP_URL the demo sends and keeps', async () => {
  await using t = await startTestApp()
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  server.answers.set('anna@example.org', '451 later')
  await queue(t, code)
  await t.runJobs({ smtp })
  server.answers.clear()
  await makeDue(t)
  await t.runJobs({ smtp })
  expect(server.received).toHaveLength(1)
  expect(await listDemoMails(t.ctx.db)).toMatchObject([{ to: 'anna@example.org' }])
})

test('a real service without a mail server does not swallow mails', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await queue(t, code)
  await t.runJobs()
  expect(await listJobs(t)).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('SMTP_URL') }])
})
