import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { sentMails } from '#test/builders/mails.ts'
import { openFieldHouse } from '#test/fakes/handler-api/field-house.ts'
import { connectPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { followChanges } from './follow-changes.ts'
import { startSuppliers } from './start-suppliers.ts'

test('a supplier whose port is taken at the start is down to staff, and starts once the port is free', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  const squatter = createServer()
  squatter.listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [],
    listen: { host: '127.0.0.1', port },
    peers: [{ systemId: 'bank', password: 'secret' }],
  }
  await typed(t.database, 'supplier:add', 'smpp', '--code', 'range', '--settings', JSON.stringify(settings), ...WHY)
  await t.ctx.db.query({
    text: 'UPDATE suppliers SET link_up = true, link_changed_at = $now, created_at = $now',
    values: { now: t.clock.now() },
  })
  const follow = await followChanges(t.ctx)
  t.clock.advance(2 * MINUTE)
  await startSuppliers(t.ctx)
  expect(suppliersOf(t.ctx).all()).toEqual([])
  const { rows } = await t.ctx.db.query<{ link_up: boolean }>({ text: 'SELECT link_up FROM suppliers' })
  expect(rows).toEqual([{ link_up: false }])
  const alarms = async () =>
    (await sentMails(t)).map(({ mail }) =>
      mail.kind === 'alarm' ? `${mail.about}${mail.over ? ' over' : ''}` : mail.kind,
    )
  await watchService(t.ctx)
  await watchService(t.ctx)
  expect(await alarms()).toEqual(['range'])

  squatter.close()
  await once(squatter, 'close')
  await follow()
  expect(
    suppliersOf(t.ctx)
      .all()
      .map(({ code }) => code),
  ).toEqual(['range'])
  const peer = await connectPeer(port)
  await peer.request('bind_transmitter', { system_id: 'bank', password: 'secret' })
  await watchService(t.ctx)
  expect(await alarms()).toEqual(['range', 'range over'])
  t.clock.advance(MINUTE)
  await follow()
  expect(t.log.lines.filter(({ sentence }) => sentence === 'a supplier could not be started')).toHaveLength(1)
})

test('settings that break or mend the link are followed by the list and the events, whichever supplier told of it', async () => {
  await using t = await startTestApp()
  await using house = await openFieldHouse('smshub', t.clock.now)
  const type = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  const settings = { url: house.url, key: house.key, dialect: 'smshub', currency: 'rub', privateHost: true }
  const follow = await followChanges(t.ctx)
  const look = async () => {
    await follow()
    await t.ctx.background.idle()
    return (await typed(t.database, 'supplier:list')).out
  }
  await type('supplier:add', 'handler-api', '--code', 'field', '--settings', JSON.stringify(settings))
  expect(await look()).toContain('link up since')
  t.clock.advance(MINUTE)
  await type('supplier:set', 'field', 'key=mistyped')
  expect(await look()).toContain('link DOWN, sells nothing')
  t.clock.advance(MINUTE)
  await type('supplier:set', 'field', `key=${house.key}`)
  expect(await look()).toContain('link up since')
  const { out } = await typed(t.database, 'supplier:events', 'field')
  expect(out.split('\n').map((line) => line.split(' ').slice(2).join(' '))).toEqual([
    'link-up: the link of a supplier is up',
    'link-down: the link of a supplier is down: it sells nothing (it refuses our key)',
    '',
  ])
})
