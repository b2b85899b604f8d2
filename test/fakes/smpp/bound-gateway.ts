import { expect } from 'vitest'
import type { Supplier } from '#server/suppliers/supplier.ts'
import { connectPeer, type SmppPeer } from './smpp-peer.ts'

/** A gateway bound to a range in server mode, whose peer `bank` has the password `secret`: while none is, it sells nothing. */
export async function bindGateway(supplier: Supplier): Promise<SmppPeer> {
  if (!('port' in supplier) || typeof supplier.port !== 'number') throw new Error('the range does not listen')
  const peer = await connectPeer(supplier.port)
  const answer = await peer.request('bind_transceiver', {
    system_id: 'bank',
    password: 'secret',
    interface_version: 0x34,
  })
  expect(answer.status).toBe(0)
  await expect.poll(() => supplier.link?.().up).toBe(true)
  return peer
}
