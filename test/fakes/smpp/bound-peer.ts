import { expect } from 'vitest'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import type { SmppHouse } from './smpp-house.ts'
import { COMMAND_ID, connectPeer, listenAsSmsc, type SmppPeer } from './smpp-peer.ts'

export type BoundPeer = AsyncDisposable & { peer: SmppPeer }

async function startSupplier(house: SmppHouse, settings: Record<string, unknown>) {
  const common = { currency: 'rub', services: [] }
  const row = { id: house.supplierId, code: 'own', kind: 'smpp', settings: { ...common, ...settings } }
  const supplier = createSmppSupplier(house.ctx, row, house.receive)
  await supplier.start()
  return supplier
}

export async function bindToServer(house: SmppHouse, changes: Record<string, unknown> = {}): Promise<BoundPeer> {
  const peers = [{ systemId: 'bank', password: 'secret' }]
  const supplier = await startSupplier(house, { mode: 'server', listen: { port: 0 }, peers, ...changes })
  const peer = await connectPeer(supplier.port ?? 0)
  const answer = await peer.request('bind_transceiver', { system_id: 'bank', password: 'secret' })
  expect(answer.status).toBe(0)
  return { peer, [Symbol.asyncDispose]: () => supplier.stop() }
}

export async function acceptClient(house: SmppHouse): Promise<BoundPeer> {
  const smsc = await listenAsSmsc()
  const hosts = [{ host: '127.0.0.1', port: smsc.port }]
  const supplier = await startSupplier(house, { mode: 'client', hosts, systemId: 'ringpost', password: 'secret' })
  const peer = await smsc.nextPeer()
  const bind = await peer.next(COMMAND_ID.bindReceiver)
  peer.send('bind_receiver_resp', { sequence_number: bind.sequence, system_id: 'smsc' })
  return {
    peer,
    [Symbol.asyncDispose]: async () => {
      await supplier.stop()
      await smsc[Symbol.asyncDispose]()
    },
  }
}
