import { expect, test } from 'vitest'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { COMMAND_ID, connectPeer, type SmppPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { createSmppSupplier } from './smpp-supplier.ts'
import { STATUS } from './wire/pdu.ts'

type Gateway = AsyncDisposable & { port: number; connect(): Promise<SmppPeer>; bind(): Promise<SmppPeer> }

async function listen(house: SmppHouse, changes: Record<string, unknown> = {}): Promise<Gateway> {
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [],
    listen: { port: 0 },
    peers: [{ systemId: 'bank', password: 'secret', maxSessions: 2 }],
    wrongPasswordDelaySeconds: 0.01,
    ...changes,
  }
  const supplier = createSmppSupplier(
    house.ctx,
    { id: house.supplierId, code: 'own', kind: 'smpp', settings },
    house.receive,
  )
  await supplier.start()
  const { port } = supplier
  if (port === null) throw new Error('it does not listen')
  const connect = () => connectPeer(port)
  const bind = async () => {
    const peer = await connect()
    expect(await peer.request('bind_transmitter', credentials)).toMatchObject({ status: STATUS.ok })
    return peer
  }
  return { port, connect, bind, [Symbol.asyncDispose]: () => supplier.stop() }
}

const credentials = { system_id: 'bank', password: 'secret' }
const sms = { source_addr: 'Bank', destination_addr: '79000000001', short_message: Buffer.from('Code 1') }

test('a gateway hands over a message and gets an id for it after the intake took it', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  const release = house.holdIntake()
  const answer = peer.request('submit_sm', sms)
  await house.called(1)
  // The message still waits when enquire_link is answered, so an early acknowledgement would have arrived before.
  expect(await peer.request('enquire_link')).toMatchObject({ status: STATUS.ok })
  expect(peer.seen.some((pdu) => pdu.commandId === COMMAND_ID.submitSmResp)).toBe(false)
  release()
  const { status, octets } = await answer
  expect(status).toBe(STATUS.ok)
  expect(octets.toString('latin1', 16)).toMatch(/^[0-9a-f-]{36}\0$/)
  expect(house.received).toMatchObject([{ phone: '79000000001', sender: 'Bank', text: 'Code 1', messageId: null }])
})

test('all three commands carry messages; receipts are acknowledged and dropped', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  for (const command of ['submit_sm', 'deliver_sm'])
    await peer.request(command, { ...sms, short_message: Buffer.from(command.replace('_', ' ')) })
  const { short_message: _, ...rest } = sms
  const data = await peer.request('data_sm', { ...rest, message_payload: Buffer.from('data sm') })
  expect(data).toMatchObject({ status: STATUS.ok, commandId: COMMAND_ID.dataSmResp })
  expect(await peer.request('deliver_sm', { ...sms, esm_class: 4 })).toMatchObject({ status: STATUS.ok })
  expect(house.received.map(({ text }) => text)).toEqual(['submit sm', 'deliver sm', 'data sm'])
})

test('a failing intake: "system error", and the same sequence number again is taken', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  house.failIntake(1)
  const again = { ...sms, sequence_number: 77 }
  expect(await peer.request('submit_sm', again)).toMatchObject({ status: STATUS.systemError })
  expect(await peer.request('submit_sm', again)).toMatchObject({ status: STATUS.ok })
  expect(house.received).toHaveLength(1)
})

test('the very same PDU again on a session is one message; another with its number is another', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  const release = house.holdIntake()
  const first = peer.request('submit_sm', { ...sms, sequence_number: 5 })
  await house.called(1)
  peer.send('submit_sm', { ...sms, sequence_number: 5 })
  release()
  const { octets } = await first
  expect((await peer.next(COMMAND_ID.submitSmResp)).octets).toEqual(octets)
  await peer.request('submit_sm', { ...sms, sequence_number: 5, short_message: Buffer.from('Code 2') })
  expect(house.calls.map(({ text }) => text)).toEqual(['Code 1', 'Code 2'])
})

test('no destination at all is refused, an unknown one is kept', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  expect(await peer.request('submit_sm', { ...sms, destination_addr: '' })).toMatchObject({
    status: STATUS.invalidDestination,
  })
  expect(await peer.request('submit_sm', { ...sms, destination_addr: '100' })).toMatchObject({ status: STATUS.ok })
  expect(house.received).toMatchObject([{ phone: '100' }])
})

test('more messages at once than the limit are put off, the others are taken', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house, { maxInFlight: 3 })
  await using peer = await gateway.bind()
  const release = house.holdIntake()
  const first = [1, 2, 3].map((n) => peer.request('submit_sm', { ...sms, short_message: Buffer.from(`Code ${n}`) }))
  await house.called(3)
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.queueFull })
  release()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([0, 0, 0])
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.ok })
})

test.each([
  { system_id: 'bank', password: 'wrong' },
  { system_id: 'nobody', password: 'secret' },
  { system_id: 'bank', password: '' },
])('$system_id with "$password" may not bind', async (wrong) => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.connect()
  expect(await peer.request('bind_transceiver', wrong)).toMatchObject({ status: STATUS.bindFailed })
  await peer.closed
})

test('nothing is taken from who has not bound, or bound to receive, or binds twice', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using stranger = await gateway.connect()
  expect(await stranger.request('submit_sm', sms)).toMatchObject({ status: STATUS.wrongBindState })
  await stranger.closed
  await using receiver = await gateway.connect()
  await receiver.request('bind_receiver', credentials)
  expect(await receiver.request('submit_sm', sms)).toMatchObject({ status: STATUS.wrongBindState })
  expect(await receiver.request('bind_transceiver', credentials)).toMatchObject({ status: STATUS.alreadyBound })
  expect(house.calls).toEqual([])
})

test('a peer has no more sessions than its limit, and a closed one makes room', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using first = await gateway.bind()
  await using _second = await gateway.bind()
  await using third = await gateway.connect()
  expect(await third.request('bind_transmitter', credentials)).toMatchObject({ status: STATUS.bindFailed })
  expect(await first.request('unbind')).toMatchObject({ status: STATUS.ok })
  await first.closed
  await house.logged('an SMPP session ended', 2)
  await using _fourth = await gateway.bind()
})

test('a flood of binds at once does not get past the limit of sessions', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house, { maxUnboundPerAddress: 50 })
  const peers: SmppPeer[] = []
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const peer = await gateway.connect()
      peers.push(peer)
      return (await peer.request('bind_transmitter', credentials)).status
    }),
  )
  expect(answers.filter((status) => status === STATUS.ok)).toHaveLength(2)
  expect(answers.filter((status) => status === STATUS.bindFailed)).toHaveLength(18)
  for (const peer of peers) peer.socket.destroy()
})

test('who connects and does not bind is cut off, and cannot crowd out the others meanwhile', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house, { maxUnboundPerAddress: 2, bindSeconds: 2 })
  await using bound = await gateway.bind()
  await using first = await gateway.connect()
  await using second = await gateway.connect()
  // The server knows each peer once this request is answered.
  await Promise.all([first, second].map((peer) => peer.request('enquire_link')))
  await using third = await gateway.connect()
  await third.closed
  await Promise.all([first.closed, second.closed])
  expect(await bound.request('enquire_link')).toMatchObject({ status: STATUS.ok })
  await using _again = await gateway.bind()
})

test('a half-open connection is found by asking, and ended', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house, { enquireLinkSeconds: 0.05, responseSeconds: 0.2 })
  await using peer = await gateway.bind()
  await peer.next(COMMAND_ID.enquireLink)
  await peer.closed
  const [ended] = await house.logged('an SMPP session ended')
  expect(ended?.fields).toMatchObject({ reason: 'no answer to enquire_link', systemId: 'bank' })
})

const garbage: [string, Buffer][] = [
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
  ['a length of nothing', Buffer.alloc(16)],
  ['a length below the header', Buffer.from('0000000f00000015000000000000000100', 'hex')],
  ['a length beyond the limit', Buffer.from('7fffffff000000040000000000000001', 'hex')],
]

test.each(garbage)('%s ends the session, and no other', async (_, octets) => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using other = await gateway.bind()
  await using peer = await gateway.bind()
  peer.sendRaw(octets)
  await peer.closed
  expect(peer.seen.at(-1)).toMatchObject({ commandId: COMMAND_ID.genericNack, status: STATUS.invalidCommandLength })
  expect(await other.request('submit_sm', sms)).toMatchObject({ status: STATUS.ok })
})

test('an unknown command is refused, and the session goes on', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await using peer = await gateway.bind()
  peer.sendRaw(Buffer.from('00000010000000ee0000000000000063', 'hex'))
  expect(await peer.next(COMMAND_ID.genericNack)).toMatchObject({ status: STATUS.invalidCommand, sequence: 0x63 })
  expect(await peer.request('query_sm')).toMatchObject({ status: STATUS.invalidCommand })
  peer.send('alert_notification')
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.ok })
})

test('stopping lets the work in hand be answered, takes no more, and says goodbye', async () => {
  await using house = await createSmppHouse()
  const gateway = await listen(house)
  await using peer = await gateway.bind()
  const release = house.holdIntake()
  const answer = peer.request('submit_sm', sms)
  await house.called(1)
  const stopped = gateway[Symbol.asyncDispose]()
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.systemError })
  release()
  expect(await answer).toMatchObject({ status: STATUS.ok })
  await peer.next(COMMAND_ID.unbind)
  await stopped
  await peer.closed
  await expect(gateway.connect()).rejects.toThrow()
})

test('a port that is taken is said at start', async () => {
  await using house = await createSmppHouse()
  await using gateway = await listen(house)
  await expect(listen(house, { listen: { port: gateway.port } })).rejects.toThrow('EADDRINUSE')
})

// R-E: a gateway that did not answer `unbind` delayed the stop of the whole service until its time-out.
test('a gateway that answers nothing any more does not hold up the end', async () => {
  await using house = await createSmppHouse()
  const gateway = await listen(house, { responseSeconds: 120 })
  await using peer = await gateway.bind()
  peer.socket.pause()
  await gateway[Symbol.asyncDispose]()
  expect(await house.logged('an SMPP session ended')).toHaveLength(1)
})
