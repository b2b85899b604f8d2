import { expect } from 'vitest'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { COMMAND_ID, connectPeer, type SmppPeer } from './smpp-peer.ts'

/**
 * Connects an SMPP gateway to a supplier's range of numbers, because a range without a gateway sells nothing. Waits
 * until the range's stock is listed, because a later listing would hide what the test has sold.
 */
export async function bindGateway(t: TestApp, supplier: Supplier): Promise<SmppPeer> {
  if (!('port' in supplier) || typeof supplier.port !== 'number') throw new Error('the range does not listen')
  const peer = await connectPeer(supplier.port)
  const answer = await peer.request('bind_transceiver', {
    system_id: 'bank',
    password: 'secret',
    interface_version: 0x34,
  })
  expect(answer.status).toBe(0)
  answerEnquiries(peer)
  await expect.poll(() => supplier.link?.().up).toBe(true)
  await t.ctx.background.idle()
  return peer
}

/** Answers the service's enquire_link requests, because a link without answers is lost after 40 seconds. */
function answerEnquiries(peer: SmppPeer): void {
  const answerNext = (): unknown =>
    peer.next(COMMAND_ID.enquireLink).then(
      ({ sequence }) => {
        peer.send('enquire_link_resp', { sequence_number: sequence })
        return answerNext()
      },
      () => undefined,
    )
  answerNext()
}
