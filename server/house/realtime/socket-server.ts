import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import type { Log } from '#server/house/log.ts'
import { Admission } from '#server/house/realtime/admission.ts'
import type { Wire } from '#server/house/realtime/connection.ts'
import { type HandshakeRules, handshakeRefusal } from '#server/house/realtime/handshake.ts'
import type { Hub } from '#server/house/realtime/hub.ts'
import { CODE, errorFrame, type Refusal } from '#server/house/realtime/protocol.ts'
import { admitFrame, receive, receiveBinary } from '#server/house/realtime/receive.ts'

export type HttpServer = Server | TlsServer

export type SocketServerOptions = {
  hub: Hub
  log: Log
  rules: HandshakeRules
  networkOf: (request: IncomingMessage) => string
  onRefused: (code: number) => void
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export class SocketServer {
  readonly #options: SocketServerOptions
  readonly #admission: Admission
  readonly #webSockets: WebSocketServer
  readonly #attached = new Map<HttpServer, UpgradeListener>()
  readonly #allGone = Promise.withResolvers<void>()
  #stopping = false

  constructor(options: SocketServerOptions) {
    const { limits } = options.hub.options
    this.#options = options
    this.#admission = new Admission(limits)
    const serverOptions: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      // Short messages gain nothing from compression, which would cost hundreds of kilobytes per socket.
      perMessageDeflate: false,
      maxPayload: limits.maxFrameBytes,
      // #onPing answers pings, because a client that sends pings without reading would overflow its buffer.
      autoPong: false,
      closeTimeout: limits.closeMs,
    }
    this.#webSockets = new WebSocketServer(serverOptions)
  }

  get open(): number {
    return this.#admission.open
  }

  /** Accepts every upgrade. On a shared server `shouldUpgradeCallback` lets only those of `/app/` through. */
  attach(server: HttpServer): void {
    const listener: UpgradeListener = (request, socket, head) => this.#upgrade(request, socket, head)
    server.on('upgrade', listener)
    this.#attached.set(server, listener)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const { hub } = this.#options
    for (const connection of [...hub.connections.values()]) {
      hub.end(connection, { code: CODE.serverStopping, message: 'Server is stopping, reconnect' })
    }
    if (this.open > 0) await this.#allGone.promise
    for (const [server, listener] of this.#attached) server.off('upgrade', listener)
    this.#attached.clear()
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const network = this.#options.networkOf(request)
    if (this.#stopping) turnAway(socket, 503)
    else if (this.#admission.isFlooded(network)) turnAway(socket, 429)
    else this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => this.#enter(webSocket, request, network))
  }

  #enter(webSocket: WebSocket, request: IncomingMessage, network: string): void {
    this.#admission.enter(network)
    webSocket.on('close', () => this.#left(network))
    webSocket.on('error', (error) => this.#options.log.debug({ error }, 'a live socket failed'))
    const { hub, rules } = this.#options
    const refusal = handshakeRefusal(request, rules) ?? hub.admit(network)
    if (refusal === undefined) this.#welcome(webSocket, network)
    else this.#refuse(webSocket, refusal)
  }

  /** Sends a refusal's reason twice: older clients read the error frame, and newer clients the close code. */
  #refuse(webSocket: WebSocket, { code, message }: Refusal): void {
    webSocket.send(errorFrame(code, message))
    webSocket.close(code, message)
    this.#options.onRefused(code)
  }

  #welcome(webSocket: WebSocket, network: string): void {
    const { hub, log } = this.#options
    const connection = hub.open(wireOf(webSocket, hub.options.limits.maxBufferedBytes), network)
    const guard = (act: () => void): void => {
      try {
        act()
      } catch (error) {
        // A failure with one socket must not end the process.
        log.error({ error }, 'a live frame failed')
        hub.end(connection, { code: CODE.overCapacity, message: 'Internal error' })
      }
    }
    // The default binaryType makes `ws` pass one Buffer, which is valid UTF-8 for a text frame.
    webSocket.on('message', (data, isBinary) =>
      guard(() => (isBinary ? receiveBinary(hub, connection) : receive(hub, connection, data.toString()))),
    )
    webSocket.on('ping', (data) => guard(() => admitFrame(hub, connection) && webSocket.pong(data)))
    webSocket.on('pong', () => guard(() => admitFrame(hub, connection)))
    // ws closes the socket on protocol errors, but its close event waits for the client's answer.
    webSocket.on('error', (error) => hub.forget(connection, closeCodeOf(error)))
    webSocket.on('close', (code) => hub.forget(connection, code))
  }

  #left(network: string): void {
    this.#admission.leave(network)
    if (this.#stopping && this.open === 0) this.#allGone.resolve()
  }
}

function wireOf(webSocket: WebSocket, maxBufferedBytes: number): Wire {
  return {
    send(frame) {
      if (webSocket.bufferedAmount > maxBufferedBytes) return false
      if (webSocket.readyState === WebSocket.OPEN) webSocket.send(frame)
      return true
    },
    close(code, reason) {
      webSocket.close(code, reason)
    },
  }
}

function closeCodeOf(error: Error): number {
  const code = 'code' in error ? error.code : undefined
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 1009
  if (code === 'WS_ERR_INVALID_UTF8') return 1007
  return typeof code === 'string' && code.startsWith('WS_ERR_') ? 1002 : 1006
}

function turnAway(socket: Duplex, status: 429 | 503): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  )
}
