import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAINTENANCE_RETRY_SECONDS } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import { type Encoding, encodingFor, isKnown } from '#server/house/http/door/content-encoding.ts'
import { type ReadyAnswer, sendReady } from '#server/house/http/ready/answer.ts'
import { bodyOf, type FreshPage, type PackedPage, packOnce } from './pack-page.ts'
import { pageHeaders } from './page-headers.ts'

/** A visitor's page varies by cookie and language, so proxies must revalidate it. */
export const SHARED_CACHE_CONTROL = 'no-cache'
const PRIVATE_CACHE_CONTROL = 'private, no-store'

export async function answerTo(ctx: Context, request: FastifyRequest, page: PackedPage): Promise<ReadyAnswer> {
  const { status, etag, contentType } = page
  const headers: ReadyAnswer['headers'] = {
    ...pageHeaders(ctx.config, request.host, true),
    ...headersOf(page),
    'cache-control': SHARED_CACHE_CONTROL,
    etag,
  }
  if (status === 200 && isKnown(etag, request.headers['if-none-match'])) return { status: 304, headers, body: null }
  if (page.location !== null) return { status, headers, body: null }
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = await bodyOf(page, encoding)
  return { status, headers: { ...headers, ...bodyHeaders(contentType, encoding, body) }, body }
}

export async function sendOnce(request: FastifyRequest, reply: FastifyReply, page: FreshPage): Promise<FastifyReply> {
  const { status } = page
  const headers = { ...headersOf(page), 'cache-control': PRIVATE_CACHE_CONTROL }
  if (page.location !== null) return sendReady(reply, { status, headers, body: null })
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = await packOnce(page, encoding)
  return sendReady(reply, { status, headers: { ...headers, ...bodyHeaders(page.contentType, encoding, body) }, body })
}

function headersOf({
  status,
  location,
  retryAfterSeconds = MAINTENANCE_RETRY_SECONDS,
}: Pick<FreshPage, 'status' | 'location' | 'retryAfterSeconds'>): ReadyAnswer['headers'] {
  return {
    vary: 'Accept-Encoding, Accept-Language, Cookie',
    ...(location === null ? {} : { location }),
    ...(status === 503 || status === 429 ? { 'retry-after': retryAfterSeconds } : {}),
  }
}

function bodyHeaders(contentType: string, encoding: Encoding, body: Buffer): ReadyAnswer['headers'] {
  return {
    'content-type': contentType,
    'content-length': body.length,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  }
}
