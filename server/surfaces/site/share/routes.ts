import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { anonymousCaller, type Caller, localeOf } from '#server/house/http/caller.ts'
import { toAppError } from '#server/house/http/error-reply.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { type Card, cardOfArticle, cardOfItem } from './card.ts'
import { makePicture } from './make-picture.ts'

type Asked = FastifyRequest<{ Params: { file: string; category?: string }; Querystring: { l?: string } }>

const BURST_SECONDS = 10
/** Prices in pictures may be an hour old, as social networks keep pictures for days. */
const CACHE_CONTROL = 'public, max-age=3600'
/** The picture of the whole site, which is a file. */
const PLAIN = '/share.png'

/** Serves pictures of services, countries and articles for links in social networks, in the language `?l=`. */
export function registerSharePictures(app: FastifyInstance, ctx: Context): void {
  const perSecond = ctx.config.pagesPerSecond
  const limit = createRateLimit({
    name: 'pictures to share of a network',
    burst: perSecond * BURST_SECONDS,
    refillMs: SECOND / perSecond,
  })
  const send = async (request: Asked, reply: FastifyReply, cardOf: CardOf): Promise<FastifyReply> => {
    const caller = inLanguage(anonymousCaller(ctx, request), request.query.l)
    await limit.spend(ctx, caller.network)
    const [, slug] = /^([a-z0-9-]{1,100})\.png$/.exec(request.params.file) ?? []
    if (slug === undefined) throw notFound()
    const card = await cardOf(caller, slug)
    const picture = await makePicture(ctx, caller.network, card).catch((error: unknown) => {
      if (toAppError(error).httpStatus === 503) return null
      throw error
    })
    if (picture === null) return reply.header('cache-control', 'no-store').redirect(PLAIN, 302)
    return reply.header('cache-control', CACHE_CONTROL).type('image/png').send(picture)
  }
  app.get('/share/service/:file', (request: Asked, reply) =>
    send(request, reply, (caller, slug) => cardOfItem(ctx, caller, { kind: 'services', slug })),
  )
  app.get('/share/country/:file', (request: Asked, reply) =>
    send(request, reply, (caller, slug) => cardOfItem(ctx, caller, { kind: 'countries', slug })),
  )
  app.get('/share/blog/:category/:file', (request: Asked, reply) =>
    send(request, reply, (caller, slug) =>
      cardOfArticle(ctx, caller, { category: request.params.category ?? '', slug }),
    ),
  )
}

type CardOf = (caller: Caller, slug: string) => Card | Promise<Card>

function inLanguage(caller: Caller, wanted: unknown): Caller {
  return typeof wanted === 'string' ? { ...caller, locale: localeOf(caller.zone, wanted) } : caller
}
