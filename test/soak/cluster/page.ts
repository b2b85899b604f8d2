import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { userChannel } from '#contract/live-events.ts'
import { ask } from './ask.ts'
import type { Buyer } from './furnish.ts'
import type { Record } from './record.ts'

const RECONNECT_MS = 250
/** A browser's client asks after a silence, too, and gives a silent socket up. */
const PING_MS = 1_000
const SILENT_MS = 3_000

type Numbers = { numbers: { data: { id: number; code: string | null }[] } }
type Event = { event: string; data?: string; channel?: string }

/** Keeps a page open. It shows what its live socket tells, and fetches after a connection or when events are missing. */
export async function keepPage(url: string, buyer: Buyer, record: Record, stopped: AbortSignal): Promise<void> {
  const take = (id: number, code: string | null) => {
    if (code !== null) record.add({ t: 'code', at: Date.now(), id, code, by: 'page' })
  }
  const fetchAll = async () => {
    for (let isFetched = false; !isFetched && !stopped.aborted; ) {
      const reply = await ask<Numbers>(url, buyer, 'GET /api/user/active-numbers?per_page=100')
      isFetched = reply?.status === 200
      for (const { id, code } of reply?.body.numbers?.data ?? []) {
        if (record.codeOf(id, 'page') === undefined) take(id, code)
      }
      if (!isFetched) await sleep(RECONNECT_MS)
    }
  }
  while (!stopped.aborted) {
    await showUntilLost(url, buyer, { stopped, take, fetchAll }).catch(() => undefined)
    await sleep(RECONNECT_MS)
  }
}

type Page = { stopped: AbortSignal; take(id: number, code: string | null): void; fetchAll(): Promise<void> }

async function showUntilLost(url: string, buyer: Buyer, { stopped, take, fetchAll }: Page): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/ringpost?protocol=7&client=js&version=8.6.0`)
  const lost = Promise.withResolvers<void>()
  const channel = userChannel(buyer.id)
  let heardAtMs = performance.now()
  const watch = setInterval(() => {
    if (stopped.aborted || performance.now() - heardAtMs > SILENT_MS) socket.terminate()
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"event":"pusher:ping","data":{}}')
  }, PING_MS)
  socket.on('error', () => undefined)
  socket.on('close', () => lost.resolve())
  socket.on('message', (text) => {
    heardAtMs = performance.now()
    const { event, data = '{}' } = JSON.parse(String(text)) as Event
    if (event === 'pusher:connection_established') {
      const { socket_id: socketId } = JSON.parse(data) as { socket_id: string }
      subscribe(url, buyer, { socket, socketId, channel }).catch(() => socket.terminate())
    } else if (event === 'pusher_internal:subscription_succeeded' || event === 'EventsMissed') {
      fetchAll().catch(() => socket.terminate())
    } else if (event === 'NewCode') {
      const { kind, record } = JSON.parse(data) as { kind: string; record: { id: number; code: string | null } }
      if (kind === 'activation') take(record.id, record.code)
    }
  })
  await lost.promise
  clearInterval(watch)
}

async function subscribe(
  url: string,
  buyer: Buyer,
  { socket, socketId, channel }: { socket: WebSocket; socketId: string; channel: string },
): Promise<void> {
  const reply = await fetch(`${url}/broadcasting/auth`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buyer.key}` },
    body: new URLSearchParams({ socket_id: socketId, channel_name: channel }),
    signal: AbortSignal.timeout(5_000),
  })
  const { auth } = (await reply.json()) as { auth?: string }
  if (auth === undefined) socket.terminate()
  else socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { auth, channel } }))
}
