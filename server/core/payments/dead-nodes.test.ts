import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { sentMails } from '#test/builders/mails.ts'
import { settingsOf } from '#test/builders/money/chain.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { callGateway } from './call-gateway.ts'
import { followArrivals } from './follow-arrivals.ts'

const KEY = 'a-key-of-the-node'

async function deadUrl(): Promise<string> {
  await using server = await listenOnLoopback(() => undefined)
  return server.url
}

function settings(nodes: string[]) {
  return settingsOf({ nodes, usdt: `0x${'11'.repeat(20)}`, usdc: `0x${'22'.repeat(20)}` })
}

test('an outage of a gateway is logged once without a stack, and once when it is over; the list says since when it lasts', async () => {
  await using t = await startTestApp()
  await t.addGateway({ code: 'evm', kind: 'evm', settings: settings([await deadUrl()]) })
  const began = t.clock.now()
  for (let turn = 0; turn < 4; turn += 1) {
    await followArrivals(t.ctx)
    t.clock.advance(MINUTE)
  }
  const logged = () =>
    t.log.lines.filter(({ level, fields }) => level !== 'debug' && JSON.stringify(fields).includes('"gateway"'))
  const failure = expect.stringContaining('ECONNREFUSED')
  const begins = { level: 'warn', fields: { gateway: 'evm', failure }, sentence: 'a gateway does not answer' }
  expect(logged()).toEqual([begins])
  expect((await typed(t.database, 'gateway:list')).out).toContain(
    `FAILING since ${began.toISOString()}, never answered (0 of 1 nodes`,
  )
  const [entry] = gatewaysOf(t.ctx).all()
  if (entry === undefined) throw new Error('no gateway')
  await callGateway(t.ctx, entry.gateway, async () => 'an answer')
  await callGateway(t.ctx, entry.gateway, async () => 'an answer')
  const fields = { gateway: 'evm', failingSince: began }
  expect(logged()).toEqual([begins, { level: 'warn', fields, sentence: 'a gateway answers again' }])
  expect((await typed(t.database, 'gateway:list')).out).toContain('last success')
})

test('nodes that are away are told by host and code, in the alarm, the list and the log, and their keys nowhere', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  const urls = [await deadUrl(), await deadUrl()]
  const nodes = urls.map((url) => `${url}/v3/${KEY}?key=${KEY}`)
  await t.addGateway({ code: 'evm', kind: 'evm', settings: settings(nodes) })
  t.clock.advance(20 * MINUTE)
  await followArrivals(t.ctx)
  await watchService(t.ctx)
  const [first, second] = urls.map((url) => new URL(url).host)
  const says = `0 of 2 nodes answer: node 1 (${first}): connect ECONNREFUSED ${first}; node 2 (${second}): connect ECONNREFUSED`
  const [letter] = await sentMails(t)
  expect(letter?.mail).toMatchObject({ alarm: 'chain-behind', why: expect.stringContaining(says) })
  const { out } = await typed(t.database, 'gateway:list')
  expect(out).toContain(says)
  expect([out, JSON.stringify(letter), JSON.stringify(t.log.lines)].filter((text) => text.includes(KEY))).toEqual([])
})
