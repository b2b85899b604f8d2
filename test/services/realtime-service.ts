import type { ClientOptions } from 'ws'
import { WebSocket } from 'ws'
import { userChannel } from '#contract/live-events.ts'
import type { TlsTexts } from '#server/house/config/tls-files.ts'
import type { Identity } from '#server/house/realtime/connection.ts'
import { createRealtime, type RealtimeConfig, type RealtimeOptions } from '#server/house/realtime/realtime.ts'

export const APP_KEY = 'ringpost'
export const APP_SECRET = 'live-secret'
export const PROTOCOL_PATH = `/app/${APP_KEY}?protocol=7&client=js&version=8.6.0`

export type Logged = { level: string; fields: unknown; sentence: unknown }

/** Starts the realtime server with predictable socket ids (1.1, 2.2, 3.3 …) and a clock that stands still. */
export async function startRealtime(
  overrides: { config?: Partial<RealtimeConfig>; tls?: TlsTexts } & Partial<Omit<RealtimeOptions, 'config'>> = {},
) {
  let nowMs = Date.UTC(2026, 0, 1)
  let socketNumber = 0
  const logged: Logged[] = []
  const note = (level: string) => (fields: unknown, sentence?: unknown) => logged.push({ level, fields, sentence })
  const { config, tls, ...options } = overrides
  const realtime = createRealtime({
    config: { appKey: APP_KEY, appSecret: APP_SECRET, host: '127.0.0.1', port: 0, ...config },
    clock: { now: () => new Date(nowMs) },
    random: {
      bytes(length) {
        socketNumber += 1
        const bytes = Buffer.alloc(length)
        bytes.writeUIntBE(socketNumber, 0, 6)
        bytes.writeUIntBE(socketNumber, 6, 6)
        return bytes
      },
      below: () => 0,
      uuid: () => '00000000-0000-4000-8000-000000000000',
    },
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    networkOf: (request) => request.socket.remoteAddress ?? '',
    ...options,
  })
  if (tls !== undefined) realtime.setCertificate(tls)
  const { port } = await realtime.listen()
  return {
    realtime,
    port,
    logged,
    moveClock(milliseconds: number) {
      nowMs += milliseconds
      realtime.tick()
    },
    moveClockQuietly(milliseconds: number) {
      nowMs += milliseconds
    },
    connect: (path = PROTOCOL_PATH, clientOptions: ClientOptions = {}) =>
      new TestSocket(`ws://127.0.0.1:${port}${path}`, clientOptions),
    [Symbol.asyncDispose]: () => realtime.stop(),
  }
}

export type TestRealtime = Awaited<ReturnType<typeof startRealtime>>

export class TestSocket implements Disposable {
  readonly ws: WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #received: string[] = []
  readonly #waiting: PromiseWithResolvers<string>[] = []

  constructor(url: string, options: ClientOptions = {}) {
    this.ws = new WebSocket(url, options)
    const closed = Promise.withResolvers<{ code: number; reason: string }>()
    this.closed = closed.promise
    this.ws.on('message', (data) => this.#take(String(data)))
    this.ws.on('error', (error) => this.#failWaiting(error))
    this.ws.on('close', (code, reason) => {
      closed.resolve({ code, reason: reason.toString() })
      this.#failWaiting(new Error(`closed with ${code} ${reason}`))
    })
  }

  next(): Promise<string> {
    const received = this.#received.shift()
    if (received !== undefined) return Promise.resolve(received)
    if (this.ws.readyState === WebSocket.CLOSED) return Promise.reject(new Error('closed already'))
    const waiting = Promise.withResolvers<string>()
    this.#waiting.push(waiting)
    return waiting.promise
  }

  ask(frame: unknown): Promise<string> {
    this.say(frame)
    return this.next()
  }

  say(frame: unknown): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Resolves when the server has processed the frames so far. */
  async settled(): Promise<void> {
    const pong = await this.ask({ event: 'pusher:ping', data: {} })
    if (pong !== PONG) throw new Error(`expected a pong, received ${pong}`)
  }

  [Symbol.dispose](): void {
    this.ws.terminate()
  }

  #take(text: string): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#received.push(text)
    else waiting.resolve(text)
  }

  #failWaiting(error: Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
  }
}

export const PONG = '{"event":"pusher:pong","data":"{}"}'
export const PING = '{"event":"pusher:ping","data":"{}"}'

export async function welcomed(socket: TestSocket): Promise<string> {
  const frame: unknown = JSON.parse(await socket.next())
  if (typeof frame !== 'object' || frame === null || !('data' in frame)) throw new Error('no welcome')
  const data: unknown = JSON.parse(String(frame.data))
  if (typeof data !== 'object' || data === null || !('socket_id' in data)) throw new Error('no socket id')
  return String(data.socket_id)
}

export async function subscribed(
  { realtime, connect }: Pick<TestRealtime, 'realtime' | 'connect'>,
  identity: Identity,
): Promise<TestSocket> {
  const socket = connect()
  await enter({ realtime }, socket, identity)
  return socket
}

export async function enter(
  { realtime }: Pick<TestRealtime, 'realtime'>,
  socket: TestSocket,
  identity: Identity = { userId: 7, sessionId: 'session-a' },
): Promise<void> {
  const socketId = await welcomed(socket)
  const channel = userChannel(identity.userId)
  const { auth } = realtime.authorise({ socketId, channel, ...identity })
  await socket.ask({ event: 'pusher:subscribe', data: { auth, channel } })
}
