import type { FastifyBaseLogger } from 'fastify'

/** The one logger's face: structured fields first, then the sentence. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>
