import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { userChannel } from '#contract/live-events.ts'
import { type HttpConnection, openConnections, postRequest } from './http-connection.ts'
import { onlookerToken } from './people.ts'
import type { Service } from './temporary-house.ts'
import { eachOf } from './work-at-once.ts'

const AT_ONCE = 32
/** The service limits sockets per address, so sockets are opened from 127.0.0.2, 127.0.0.3 and so on. */
const SOCKETS_PER_ADDRESS = 150

export async function openIdleSockets(
  stack: AsyncDisposableStack,
  service: Pick<Service, 'url' | 'liveUrl'>,
  { userIds, firstAddress }: { userIds: readonly number[]; firstAddress: number },
): Promise<void> {
  const sockets: WebSocket[] = []
  stack.defer(() => {
    for (const socket of sockets) socket.terminate()
  })
  const connections = await openConnections(stack, service.url, AT_ONCE)
  await eachOf(userIds.length, AT_ONCE, async (index) => {
    const userId = userIds[index] ?? 0
    const connection = connections.pop()
    if (connection === undefined) throw new Error('no connection is free')
    const localAddress = `127.0.0.${firstAddress + Math.floor(index / SOCKETS_PER_ADDRESS)}`
    sockets.push(await openSocket({ service, connection, userId, token: onlookerToken(userId), localAddress }))
    connections.push(connection)
  })
}

export async function openSocket(input: {
  service: Pick<Service, 'liveUrl'>
  connection: HttpConnection
  userId: number
  token: string
  localAddress?: string
}): Promise<WebSocket> {
  const { service, connection, userId, token, localAddress } = input
  const options: ClientOptions = { perMessageDeflate: false, ...(localAddress && { localAddress }) }
  const socket = new WebSocket(service.liveUrl, options)
  const channel = userChannel(userId)
  const welcome = await nextFrame(socket)
  const { socket_id } = JSON.parse(String(welcome.data))
  const body = { socket_id, channel_name: channel }
  const reply = await connection.ask(postRequest('/broadcasting/auth', body, { authorization: `Bearer ${token}` }))
  if (reply.status !== 200) throw new Error(`no signature: ${reply.status} ${reply.body}`)
  const { auth } = JSON.parse(reply.body.toString())
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { auth, channel } }))
  const answer = await nextFrame(socket)
  if (answer.event !== 'pusher_internal:subscription_succeeded') throw new Error(`not let in: ${answer.data}`)
  return socket
}

async function nextFrame(socket: WebSocket): Promise<{ event: unknown; data: unknown }> {
  const [data] = await once(socket, 'message')
  const { event, data: inner } = JSON.parse(String(data))
  return { event, data: inner }
}
