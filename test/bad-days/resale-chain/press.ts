import { setTimeout as wait } from 'node:timers/promises'
import type { ScriptedPeer } from '#test/fakes/scripted-peer.ts'
import { buy, request } from '../real-service.ts'
import type { Hop } from './hop.ts'

const PAUSE_MS = 100

export type Wish = { name: string; isCancelled: boolean; code: string }

/** Acts as one buyer: buys a number, then uses it or gives it back. Refused calls are retried. */
export async function press(hop: Hop, peer: ScriptedPeer, { name, isCancelled, code }: Wish): Promise<void> {
  const { phone, key } = await buySome(hop, name)
  const { id } = await until(
    () => current(hop, key),
    (data) => data !== null,
  )
  if (isCancelled) {
    await until(
      () => end(hop, id, 'cancel'),
      ({ state }) => state === 'cancelled',
    )
    return
  }
  await peer.push({ messageId: `${name} ${phone}`, phone, text: `Telegram code: ${code}` })
  await until(
    () => current(hop, key),
    (data) => data?.code === code,
  )
  await until(
    () => end(hop, id, 'finish'),
    ({ state }) => state === 'finished',
  )
}

type Current = { id: number; phone: string; state: string; code: string | null }

async function buySome(hop: Hop, name: string): Promise<{ phone: string; key: string }> {
  for (let attempt = 1; ; attempt += 1) {
    const key = `${name}-try-${attempt}`
    // The idempotency key stays the same until the outcome of the purchase is known.
    const reply = await until(
      () => buy(hop.url, hop.buyer, key),
      ({ status, body }) => {
        if (body.code === 'NO_BALANCE') throw new Error(`there is no money for ${name}`)
        return status === 201 || (status === 409 && body.code === 'NO_NUMBERS')
      },
    )
    if (reply.status === 201 && reply.body.data !== undefined) return { phone: reply.body.data.phone, key }
    await wait(PAUSE_MS)
  }
}

async function current(hop: Hop, key: string): Promise<Current | null> {
  const { body } = await buy(hop.url, hop.buyer, key)
  return (body.data as Current | undefined) ?? null
}

async function end(hop: Hop, id: number, verb: 'cancel' | 'finish'): Promise<Current> {
  await request(hop.url, hop.buyer, `/api/v1/activations/${id}/${verb}`, { method: 'POST' })
  const { body } = await request(hop.url, hop.buyer, `/api/v1/activations/${id}`)
  return body.data as Current
}

async function until<Asked, Found extends Asked>(
  ask: () => Promise<Asked>,
  isThere: ((asked: Asked) => asked is Found) | ((asked: Asked) => boolean),
): Promise<NonNullable<Found>> {
  for (;;) {
    const asked = await ask().catch(() => undefined)
    if (asked !== undefined && asked !== null && isThere(asked)) return asked as NonNullable<Found>
    await wait(PAUSE_MS)
  }
}
