import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const patient = new WeakSet<object>()

/**
 * The body of this request has limits of its own, and may take longer than a whole request else. Returns what ends that:
 * the next request of the connection is as any other.
 */
export function takeTime(socket: object): () => void {
  patient.add(socket)
  return () => {
    patient.delete(socket)
  }
}

const STATUS: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** As Fastify's own, but for those who may take their time. Node looks at each request once, so it does not ask again. */
export function answerClientError(error: Error & { code?: string | undefined }, socket: Socket): void {
  const { code = '' } = error
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  const status = STATUS[code] ?? 400
  const body = JSON.stringify({ status: false, message: STATUS_CODES[status] ?? '' })
  if (socket.writable) {
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Length: ${body.length}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nConnection: close\r\n\r\n${body}`)
  }
  socket.destroy(error)
}
