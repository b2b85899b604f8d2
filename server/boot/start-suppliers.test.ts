import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { watchService } from '#server/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
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
  // It was up when the server was stopped.
  await t.ctx.db.query({
    text: 'UPDATE suppliers SET link_up = true, link_changed_at = $now, created_at = $now',
    values: { now: t.clock.now() },
  })
  const follow = await followChanges(t.ctx)
  t.clock.advance(2 * MINUTE)
  await startSuppliers(t.ctx)
  expect(t.ctx.suppliers.all()).toEqual([])
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
  expect(t.ctx.suppliers.all().map(({ code }) => code)).toEqual(['range'])
  const peer = await connectPeer(port)
  await peer.request('bind_transmitter', { system_id: 'bank', password: 'secret' })
  await watchService(t.ctx)
  expect(await alarms()).toEqual(['range', 'range over'])
  // What runs is not started a second time.
  t.clock.advance(MINUTE)
  await follow()
  expect(t.log.lines.filter(({ sentence }) => sentence === 'a supplier could not be started')).toHaveLength(1)
})
