import type { FastifyReply } from 'fastify'
import { KIBIBYTE } from '#contract/time.ts'
import { compress, type Encoding, encodingFor } from './content-encoding.ts'

/** Replies from this length on are compressed. A shorter reply fits into a packet or two. */
const LONG_FROM_BYTES = 2 * KIBIBYTE
const packedBefore = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

export function isLong(json: string | Buffer): boolean {
  return json.length >= LONG_FROM_BYTES
}

export async function sendPacked(
  reply: FastifyReply,
  json: string | Buffer,
  acceptEncoding: string | undefined,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  reply.type(type)
  if (!isLong(json)) return reply.send(json)
  const encoding = encodingFor(acceptEncoding)
  reply.header('vary', 'Accept-Encoding')
  if (encoding === 'identity') return reply.send(json)
  const packed = await pack(json, encoding)
  return reply.header('content-encoding', encoding).send(packed)
}

/** Compresses a list fast rather than well, because lists change with each sale. Caches the result per Buffer. */
export function pack(json: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (typeof json === 'string') return compress(Buffer.from(json), encoding, 'once')
  const packed = packedBefore.get(json) ?? new Map<Encoding, Promise<Buffer>>()
  packedBefore.set(json, packed)
  const found = packed.get(encoding)
  if (found !== undefined) return found
  const making = compress(json, encoding, 'once')
  packed.set(encoding, making)
  return making
}
