import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { makeCertificates } from '#test/fakes/smpp/smpp-certificates.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { COMMAND_ID, connectPeer, listenAsSmsc } from '#test/fakes/smpp/smpp-peer.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { type TemporaryFolder, temporaryFolder } from '#test/harness/temporary-folder.ts'
import { watchLink } from './link-watch.ts'
import { createLostAnswers } from './lost-answers.ts'
import { startServerLink } from './server-link.ts'
import { parseSmppSettings } from './settings.ts'
import { createSmppSupplier } from './smpp-supplier.ts'
import { STATUS } from './wire/pdu.ts'

const openssl = requireProgram('openssl')
const certificates = openssl === undefined ? undefined : makeCertificates(openssl)
const others = openssl === undefined ? undefined : makeCertificates(openssl)

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('openssl is missing')
  return value
}

async function start(house: SmppHouse, settings: Record<string, unknown>) {
  const common = { currency: 'rub', services: [] }
  const row = { id: house.supplierId, code: 'tls', kind: 'smpp', settings: { ...common, ...settings } }
  const supplier = createSmppSupplier(house.ctx, row, house.receive)
  await supplier.start()
  return { port: supplier.port ?? 0, [Symbol.asyncDispose]: () => supplier.stop() }
}

const client = (port: number, tls: Record<string, unknown>) => ({
  mode: 'client',
  hosts: [{ host: '127.0.0.1', port }],
  systemId: 'ringpost',
  password: 'secret',
  reconnectSeconds: 0.05,
  tls,
})

const server = (tls: Record<string, unknown>) => ({
  mode: 'server',
  listen: { port: 0 },
  peers: [{ systemId: 'bank', password: 'secret' }],
  tls,
})

const sms = { source_addr: 'Bank', destination_addr: '79000000001', short_message: Buffer.from('Code 1') }

test.skipIf(openssl === undefined)('we bind to a carrier whose certificate its authority signed', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc(given(certificates).server)
  await using _supplier = await start(house, client(smsc.port, { ca: given(certificates).ca }))
  const peer = await smsc.nextPeer()
  const bind = await peer.next(COMMAND_ID.bindReceiver)
  peer.send('bind_receiver_resp', { sequence_number: bind.sequence, system_id: 'smsc' })
  expect(await peer.request('deliver_sm', sms)).toMatchObject({ status: STATUS.ok })
  expect(house.received).toHaveLength(1)
})

test.skipIf(openssl === undefined)('we give our password to no carrier with a wrong certificate', async () => {
  await using house = await createSmppHouse()
  await using smsc = await listenAsSmsc(given(certificates).server)
  const wrong = [{ ca: given(others).ca }, {}, { ca: given(certificates).ca, serverName: 'smsc.example' }]
  for (const [index, tls] of wrong.entries()) {
    await using _supplier = await start(house, client(smsc.port, tls))
    await house.logged('the SMSC cannot be reached', index + 1)
  }
  expect(smsc.peers.flatMap(({ seen }) => seen)).toEqual([])
  const lines = await house.logged('the SMSC cannot be reached')
  expect(lines.some(({ fields }) => /altnames|does not match/.test(String(fields.error)))).toBe(true)
})

test.skipIf(openssl === undefined)('gateways reach us by TLS, and not without', async () => {
  await using house = await createSmppHouse()
  await using gateway = await start(house, server(given(certificates).server))
  await using peer = await connectPeer(gateway.port, { ca: given(certificates).ca })
  expect(await peer.request('bind_transmitter', { system_id: 'bank', password: 'secret' })).toMatchObject({ status: 0 })
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.ok })
  await using plain = await connectPeer(gateway.port)
  plain.send('bind_transmitter', { system_id: 'bank', password: 'secret' })
  await plain.closed
  expect(plain.seen.filter(({ commandId }) => commandId === COMMAND_ID.bindTransmitterResp)).toEqual([])
})

test.skipIf(openssl === undefined)('gateways show their own certificate where that is asked for', async () => {
  await using house = await createSmppHouse()
  const { ca, server: ours, client: theirs } = given(certificates)
  await using gateway = await start(house, server({ ...ours, clientCa: ca }))
  await using peer = await connectPeer(gateway.port, { ca, ...theirs })
  expect(await peer.request('bind_transmitter', { system_id: 'bank', password: 'secret' })).toMatchObject({ status: 0 })
  await using stranger = await connectPeer(gateway.port, { ca, ...given(others).client })
  stranger.send('bind_transmitter', { system_id: 'bank', password: 'secret' })
  await stranger.closed
  expect(stranger.seen).toEqual([])
})

async function shownBy(port: number, ca: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

async function writePair(folder: TemporaryFolder, { cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(folder.path('cert.pem'), cert)
  await writeFile(folder.path('key.pem'), key)
}

test.skipIf(openssl === undefined)('renewed files are taken up without a restart, once they fit together', async () => {
  await using house = await createSmppHouse()
  await using folder = await temporaryFolder()
  const [before, after] = [given(certificates), given(others)]
  await writePair(folder, before.server)
  await writeFile(folder.path('authority.pem'), before.ca)
  const files = { certFile: 'cert.pem', keyFile: 'key.pem', clientCaFile: 'authority.pem' }
  const tls = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, folder.path(file)]))
  const settings = parseSmppSettings('tls', { currency: 'rub', services: [], ...server(tls) })
  if (settings.mode !== 'server') throw new Error('not a listener')
  const { supplierId, ctx, receive } = house
  const { defaultAlphabet, partsWaitSeconds } = settings
  const lostAnswers = createLostAnswers(ctx.clock)
  const inbox = { ctx, receiveSms: receive, supplierId, defaultAlphabet, partsWaitSeconds, lostAnswers }
  const link = await startServerLink({ inbox, watch: watchLink(ctx, supplierId), code: 'tls', settings })
  await using _ = { [Symbol.asyncDispose]: () => link.stop() }
  await using peer = await connectPeer(link.port, { ca: before.ca, ...before.client })
  const bind = { system_id: 'bank', password: 'secret' }
  expect(await peer.request('bind_transmitter', bind)).toMatchObject({ status: 0 })

  // The earlier certificate stays in use if half of the new pair is missing or empty. The fault is logged once.
  const first = await shownBy(link.port, before.ca)
  await writeFile(folder.path('cert.pem'), after.server.cert)
  await link.renewCertificate()
  await link.renewCertificate()
  expect(await house.logged('a renewed certificate is not used')).toHaveLength(1)
  await writeFile(folder.path('cert.pem'), '')
  await link.renewCertificate()
  expect(await shownBy(link.port, before.ca)).toBe(first)

  await writePair(folder, after.server)
  await link.renewCertificate()
  expect(await shownBy(link.port, after.ca)).not.toBe(first)
  expect(await house.logged('a renewed certificate is in use')).toHaveLength(1)
  // Gateways must still show a certificate of the earlier authority, and existing connections continue.
  await using again = await connectPeer(link.port, { ca: after.ca, ...before.client })
  expect(await again.request('bind_transmitter', bind)).toMatchObject({ status: 0 })
  await using stranger = await connectPeer(link.port, { ca: after.ca, ...after.client })
  stranger.send('bind_transmitter', bind)
  await stranger.closed
  expect(stranger.seen).toEqual([])
  expect(await peer.request('submit_sm', sms)).toMatchObject({ status: STATUS.ok })
})
