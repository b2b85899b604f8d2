import { expect, test } from 'vitest'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { COMMAND_ID, type FakeSmsc, listenAsSmsc, type SmppPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { createSmppSupplier } from './smpp-supplier.ts'
import { STATUS } from './wire/pdu.ts'

async function start(house: SmppHouse, smsc: FakeSmsc[], changes: Record<string, unknown> = {}) {
  const settings = {
    mode: 'client',
    currency: 'rub',
    services: [],
    hosts: smsc.map(({ port }) => ({ host: '127.0.0.1', port })),
    systemId: 'ringpost',
    password: 'secret',
    reconnectSeconds: 0.02,
    reconnectMaxSeconds: 0.1,
    responseSeconds: 2,
    ...changes,
  }
  const supplier = createSmppSupplier(
    house.ctx,
    { id: house.supplierId, code: 'carrier', kind: 'smpp', settings },
    house.receive,
  )
  await supplier.start()
  return { [Symbol.asyncDispose]: () => supplier.stop() }
}

async function acceptBind(peer: SmppPeer) {
  const bind = await peer.next(COMMAND_ID.bindReceiver)
  peer.send('bind_receiver_resp', { sequence_number: bind.sequence, system_id: 'smsc' })
  return bind
}

test('a carrier that never answers the bind is left, and tried again', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc()
  await using _supplier = await start(house, [smsc], { responseSeconds: 0.1 })
  const first = await smsc.nextPeer()
  await first.next(COMMAND_ID.bindReceiver)
  await first.closed
  await house.logged('the SMSC did not answer the bind')
  await (await smsc.nextPeer()).next(COMMAND_ID.bindReceiver)
})

test('a refused bind is reported, and asked again at its own pace', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc()
  await using _supplier = await start(house, [smsc], {
    refusedSeconds: 0.05,
    reconnectSeconds: 600,
    reconnectMaxSeconds: 600,
  })
  for (let time = 1; time <= 2; time += 1) {
    const peer = await smsc.nextPeer()
    const bind = await peer.next(COMMAND_ID.bindReceiver)
    peer.send('bind_receiver_resp', { sequence_number: bind.sequence, command_status: STATUS.bindFailed })
    await peer.closed
    const lines = await house.logged('the SMSC refuses the bind', time)
    expect(lines.at(-1)).toMatchObject({ level: 'error', fields: { status: STATUS.bindFailed, systemId: 'ringpost' } })
    expect(JSON.stringify(lines)).not.toContain('secret')
  }
})

test('several hosts are tried in turn', async () => {
  await using house = await createSmppHouse()
  const gone = await listenAsSmsc()
  await gone[Symbol.asyncDispose]()
  await using working = await listenAsSmsc()
  await using _supplier = await start(house, [gone, working])
  const [line] = await house.logged('the SMSC cannot be reached')
  expect(line?.fields).toMatchObject({ port: gone.port })
  await acceptBind(await working.nextPeer())
  await house.logged('bound to the SMSC')
})

test('garbage ends the session, which begins anew and works', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc()
  await using _supplier = await start(house, [smsc])
  const first = await smsc.nextPeer()
  await acceptBind(first)
  await house.logged('bound to the SMSC')
  first.sendRaw(Buffer.from('0000000f00000005000000000000000100', 'hex'))
  expect(await first.next(COMMAND_ID.genericNack)).toMatchObject({ status: STATUS.invalidCommandLength })
  await first.closed
  const second = await smsc.nextPeer()
  await acceptBind(second)
  const text = { source_addr: 'Bank', destination_addr: '79000000001', short_message: Buffer.from('Code 1') }
  expect(await second.request('deliver_sm', text)).toMatchObject({ status: STATUS.ok })
  expect(house.received.map((sms) => sms.text)).toEqual(['Code 1'])
})

test('stopping unbinds, and opens no connection more', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc()
  const supplier = await start(house, [smsc])
  const peer = await smsc.nextPeer()
  await acceptBind(peer)
  await house.logged('bound to the SMSC')
  const stopped = supplier[Symbol.asyncDispose]()
  await peer.next(COMMAND_ID.unbind)
  await peer.closed
  await stopped
  expect(smsc.peers).toHaveLength(1)
})

test('stopping while the carrier cannot be reached or is silent takes no time-out', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc()
  const waiting = await start(house, [smsc], { responseSeconds: 120 })
  await (await smsc.nextPeer()).next(COMMAND_ID.bindReceiver)
  const stopped = waiting[Symbol.asyncDispose]()
  const peer = smsc[Symbol.asyncDispose]()
  await Promise.all([stopped, peer])
  const unreachable = await start(house, [smsc], { reconnectSeconds: 600, reconnectMaxSeconds: 600 })
  await house.logged('the SMSC cannot be reached')
  await unreachable[Symbol.asyncDispose]()
})
