import type { FastifyReply } from 'fastify'

export type ReadyAnswer = { status: number; headers: Record<string, string | number>; body: Buffer | null }

export function sendReady(reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined)
}
