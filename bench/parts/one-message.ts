import type { WebSocket } from 'ws'
import { getRequest, HttpConnection, openConnections } from './http-connection.ts'
import { openSocket } from './live-sockets.ts'
import type { Buyer } from './people.ts'
import type { Service } from './temporary-house.ts'
import { eachOf } from './work-at-once.ts'

const BUYING_AT_ONCE = 16

let messages = 0

/** Sends a message to a phone number. Resolves to the milliseconds until the client received the event. */
export type Intake = (phone: string) => Promise<number>

/** Buys numbers from the simulator's silent operator, which sends no messages. */
export async function buyNumbers(
  stack: AsyncDisposableStack,
  service: Service,
  { buyer, count }: { buyer: Buyer; count: number },
): Promise<string[]> {
  const connections = await openConnections(stack, service.url, BUYING_AT_ONCE)
  const query = { action: 'getNumber', api_key: buyer.apiKey, service: 'tg', country: '0', operator: 'silent' }
  const request = getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`)
  const phones: string[] = []
  await eachOf(count, BUYING_AT_ONCE, async () => {
    const connection = connections.pop()
    if (connection === undefined) throw new Error('no connection is free')
    const { body } = await connection.ask(request)
    connections.push(connection)
    const phone = /^ACCESS_NUMBER:\d+:(\d+)$/.exec(body.toString())?.[1]
    if (phone === undefined) throw new Error(`a purchase failed: ${body}`)
    phones.push(phone)
  })
  return phones
}

export async function openClient(stack: AsyncDisposableStack, service: Service, buyer: Buyer): Promise<WebSocket> {
  using connection = await HttpConnection.open(service.url)
  const client = await openSocket({ service, connection, userId: buyer.userId, token: buyer.token })
  stack.defer(() => client.terminate())
  return client
}

/** Returns the next test message to a phone number. Each text is unique, so that none is dropped as a repeat. */
export function nextMessage(phone: string) {
  messages += 1
  const text = `Telegram code: ${100_000 + messages}. Do not give it to anyone.`
  return { messageId: `bench-${messages}`, phone, sender: 'Telegram', text }
}

export function serviceIntake(service: Service, client: WebSocket): Intake {
  return async (phone) => {
    const arrived = arrival(client)
    const startedAt = await service.process.ask('takeSms', nextMessage(phone))
    return msSince(startedAt, (await arrived).at)
  }
}

export function arrival(client: WebSocket): Promise<{ at: bigint; frame: string }> {
  return new Promise((resolve) => {
    client.once('message', (data) => resolve({ at: process.hrtime.bigint(), frame: String(data) }))
  })
}

/** Returns the ms between two clock readings, which may be of two processes on the same machine. */
export function msSince(startedAt: bigint, at: bigint): number {
  return Number(at - startedAt) / 1e6
}
