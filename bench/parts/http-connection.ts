import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HttpReply = { status: number; head: string; body: Buffer }

const HEAD_END = Buffer.from('\r\n\r\n')

/** A minimal keep-alive HTTP client, so that generating load costs little. Replies must have a Content-Length. */
export class HttpConnection implements Disposable {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<HttpReply> | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  static async open(origin: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(origin)
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    return new HttpConnection(socket)
  }

  ask(request: Buffer): Promise<HttpReply> {
    if (this.#waiting !== undefined) return Promise.reject(new Error('the last reply is still under way'))
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request)
    return this.#waiting.promise
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const headLength = this.#received.indexOf(HEAD_END)
    if (headLength === -1) return
    const head = this.#received.toString('latin1', 0, headLength)
    const bodyStart = headLength + HEAD_END.length
    const status = Number(head.slice(9, 12))
    const bodyLength = status === 304 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (bodyLength === undefined) {
      this.#fail(new Error(`a reply without a length:\n${head}`))
      return
    }
    const end = bodyStart + Number(bodyLength)
    if (this.#received.length < end) return
    const body = this.#received.subarray(bodyStart, end)
    this.#received = this.#received.subarray(end)
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve({ status, head, body })
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}

export function getRequest(path: string, headers: Record<string, string> = {}): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${headerLines(headers)}\r\n`)
}

export function postRequest(path: string, body: unknown, headers: Record<string, string> = {}): Buffer {
  const json = JSON.stringify(body)
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)), ...headers }
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${headerLines(all)}\r\n${json}`)
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries({ host: '127.0.0.1', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

export async function openConnections(
  stack: AsyncDisposableStack,
  origin: string,
  count: number,
): Promise<HttpConnection[]> {
  const opening = Array.from({ length: count }, () => HttpConnection.open(origin))
  return (await Promise.all(opening)).map((connection) => stack.use(connection))
}
