import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { openSmtp, type Smtp } from '#server/house/mail/smtp.ts'
import { measureBusiness } from '#server/programs/boot/measures/measure-business.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { startMailServer } from '#test/fakes/mail-server.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { watchService } from './watch-service.ts'

async function age(t: TestApp, minutes: number): Promise<void> {
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET created_at = created_at - make_interval(mins => $1)`,
    values: [minutes],
  })
}

async function oldestLetter(t: TestApp): Promise<number> {
  const measure = await measureBusiness(t.ctx)
  t.clock.advance(30 * SECOND)
  await measure()
  const lines = (await t.ctx.metrics.registry.metrics()).split('\n')
  const line = lines.find((one) => one.startsWith('ringpost_jobs_oldest_seconds{task="send-mail"}'))
  return Number(line?.split(' ')[1])
}

test('a mail server that is away is told by the webhook with its error, and by the metric of jobs, between tries too', async () => {
  const taken: Record<string, unknown>[] = []
  const take = async (request: IncomingMessage, reply: ServerResponse) => {
    taken.push(JSON.parse(await text(request)) as Record<string, unknown>)
    reply.writeHead(204).end()
  }
  await using hook = await listenOnLoopback((request, reply) => {
    take(request, reply).catch(() => reply.destroy())
  })
  const environment = { ALARM_WEBHOOK: hook.url, ALARM_WEBHOOK_SECRET: 'a secret of the webhook' }
  await using t = await startTestApp({ environment, config: { demo: false } })
  const send = (to: string) => queueMail(t.ctx, t.ctx.db, { to, locale: 'ru', mail: { kind: 'two-factor-on' } })
  const look = async (smtp: Smtp) => {
    await watchService(t.ctx)
    await t.runJobs({ smtp })
    await t.ctx.background.idle()
    return taken.map(({ alarm, over }) => `${alarm}${over === true ? ' over' : ''}`)
  }
  await using house = await startMailServer()
  await using sound = await openSmtp(house.url())
  await using dead = await openSmtp('smtp://127.0.0.1:1')

  house.answers.set('late@example.org', '451 4.7.1 greylisted')
  await send('late@example.org')
  await t.runJobs({ smtp: sound })
  await age(t, 30)
  expect(await look(sound)).toEqual([])

  await send('anna@example.org')
  expect(await look(dead)).toEqual([])
  expect(await look(dead)).toEqual([])
  await age(t, 11)
  expect(await oldestLetter(t)).toBeGreaterThan(600)
  expect(await look(dead)).toEqual(['mail-down'])
  expect(taken).toMatchObject([
    { about: '1', heading: 'Письма не отправляются (1)', over: false, why: expect.stringContaining('ECONNREFUSED') },
  ])
  await send('boris@example.org')
  await t.runJobs({ smtp: dead })
  await t.ctx.db.query({
    text: `DELETE FROM graphile_worker._private_jobs WHERE created_at <= now() - interval '10 minutes'`,
  })
  expect(await look(dead)).toEqual(['mail-down'])
  await send('clara@example.org')
  await look(sound)
  expect(await look(sound)).toEqual(['mail-down', 'mail-down over'])
  expect(house.received.map(({ to }) => to)).toEqual([['clara@example.org'], ['boris@example.org']])
  expect(await oldestLetter(t)).toBe(0)
})
