import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { content } from '#contract/calls/content-calls.ts'
import { SECOND } from '#contract/time.ts'
import { originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { zoneOf } from '#server/house/http/caller.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { sendPacked } from '#server/house/http/door/send-packed.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { languageOf } from '#server/surfaces/site/site-map/addresses.ts'
import { makeFeed } from './feed.ts'
import { once, shownStatus } from './shown-status.ts'

const PAGE = 'status'
const JSON_TYPE = 'application/json; charset=utf-8'
const RSS = 'application/rss+xml; charset=utf-8'
/** Figures are measured as often, so a file is never much older than its page. */
const CACHE_CONTROL = 'public, max-age=15'

export const statusCalls: Call[] = [
  route(content.status, async (ctx, caller) => {
    requireOpen(ctx, caller, PAGE)
    return shownStatus(ctx, caller.locale)
  }),
]

/** Serves the status as files for programs and feed readers, in the language of the zone. Neither needs the database. */
export function registerStatus(app: FastifyInstance, ctx: Context): void {
  const perSecond = ctx.config.pagesPerSecond
  const limit = createRateLimit({ name: 'files of the status', burst: perSecond * 2, refillMs: SECOND / perSecond })
  const send = async (request: FastifyRequest, reply: FastifyReply, type: string): Promise<FastifyReply> => {
    requireOpen(ctx, { member: null }, PAGE)
    await limit.spend(ctx, ctx.clients.networkOf(request.raw))
    const zone = zoneOf(ctx, request)
    const locale = languageOf(zone)
    const body = once(ctx, `file ${type} ${zone.name}`, () => {
      const shown = shownStatus(ctx, locale)
      const origin = originOf(ctx.config, zone)
      return Buffer.from(type === RSS ? makeFeed(shown, { locale, origin }) : JSON.stringify(shown))
    })
    reply.headers({ 'cache-control': CACHE_CONTROL, 'access-control-allow-origin': '*' })
    return sendPacked(reply, body, request.headers['accept-encoding'], type)
  }
  app.get('/status.json', (request, reply) => send(request, reply, JSON_TYPE))
  app.get('/status.rss', (request, reply) => send(request, reply, RSS))
}
