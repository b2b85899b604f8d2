import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const patient = new WeakSet<object>()

/** Exempts a request with its own time-out from the general one. Returns a function that ends the exemption. */
export function takeTime(socket: object): () => void {
  patient.add(socket)
  return () => {
    patient.delete(socket)
  }
}

const STATUS: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Answers errors of connections as Fastify does, but spares requests that `takeTime` exempted. Node checks a request
 * for lateness only once, so a spared request is never checked again.
 */
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
