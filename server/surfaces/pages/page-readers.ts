import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isBot } from '#contract/bots.ts'
import type { FreshPage } from './pack-page.ts'

export function isReadByBot(request: FastifyRequest): boolean {
  return isBot(request.headers['user-agent'] ?? '')
}

/** Returns the page for a person. For a bot, replaces an error page by its plain status (specification 8). */
export function forReader(request: FastifyRequest, page: FreshPage): FreshPage {
  return page.status >= 400 && isReadByBot(request) ? plainStatus(page) : page
}

export function plainStatus(page: Pick<FreshPage, 'status' | 'location' | 'retryAfterSeconds'>): FreshPage {
  const { status, location, retryAfterSeconds } = page
  const body = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const plain = { status, contentType: 'text/plain; charset=utf-8', body, keep: false, location }
  return retryAfterSeconds === undefined ? plain : { ...plain, retryAfterSeconds }
}
