import type { IncomingMessage } from 'node:http'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageRenderer } from '#contract/page-request.ts'
import { contentLocale, type InterfaceLocale } from '#contract/settings/languages.ts'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { type AppError, malformedBody, unauthenticated } from '#server/house/errors/errors.ts'
import { noteRefusedCall } from '#server/house/http/door/refusals.ts'
import { toAppError } from '#server/house/http/error-reply.ts'
import { type ReadyAnswer, sendReady } from '#server/house/http/ready/answer.ts'
import { answerInFront } from '#server/house/http/ready/front.ts'
import type { ReadyCache } from '#server/house/http/ready/ready-cache.ts'
import { askerOf } from '#server/house/limits/fair-queue.ts'
import { isCallPath } from './broken-path.ts'
import { type FreshPage, type PackedPage, packPage } from './pack-page.ts'
import { answerTo, SHARED_CACHE_CONTROL, sendOnce } from './page-answer.ts'
import { cacheControlOf, listPageFiles } from './page-files.ts'
import { refuseUnknownGuards } from './page-guards.ts'
import { pageHeaders } from './page-headers.ts'
import { forReader, isReadByBot, plainStatus } from './page-readers.ts'
import { createPageRenderQueue, type PageRenderQueue } from './page-render-queue.ts'
import {
  allowedQuery,
  answeredKey,
  bringsToken,
  type KnownValues,
  knownValues,
  lowerCasePath,
  PAYLOAD_NAME,
  type PageView,
  type PageVisitor,
  pageQuery,
  pageView,
  requestKey,
  splitPayload,
  visitorQuery,
} from './page-request.ts'

export type PagesOptions = {
  ready: ReadyCache
  renderer: PageRenderer
  clientDir: string
  /** Identifies the visitor by cookies only, because rendering only reads and never renews a token. */
  visitorOf(request: FastifyRequest, view: PageView): Promise<PageVisitor>
  /** The anonymous visitor is made without the request, because its page is cached for everyone. */
  anonymousVisitor(view: PageView): PageVisitor
}

/** A missing file, perhaps of an older build, must not be answered with a page. */
const FILE_NAME = /\.(?:js|css|json|map|svg|png|ico|woff2|wav|txt|xml|webmanifest)$/
const KEPT_MS = 10 * SECOND
/** This page tells of an outage of the database, so it is shown without the database. */
const TOLD_IN_OUTAGES = '/status'
const PAGE_ROUTE = '/*'
const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

export async function registerPages(app: FastifyInstance, ctx: Context, options: PagesOptions): Promise<void> {
  refuseUnknownGuards(options.renderer.routes)
  const files = await listPageFiles(options.clientDir)
  const known = knownValues(ctx)
  const renderQueue = createPageRenderQueue(ctx)
  const site: Site = { ctx, options, files, renderQueue, known }
  answerInFront(app, (request) => answerAgain(site, request))
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    await pages.register(fastifyStatic, {
      root: options.clientDir,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    })
    pages.addHook('onRequest', (request, reply, done) => {
      reply.headers(pageHeaders(ctx.config, request.host))
      done()
    })
    pages.get('/builds/latest.json', async (_request, reply) =>
      reply.header('cache-control', SHARED_CACHE_CONTROL).send({ id: options.renderer.buildId }),
    )
    pages.get('/builds/meta/:file', async (request, reply) => answerBuild(options.renderer, request, reply))
    pages.get(PAGE_ROUTE, async (request, reply) => answerPath(site, request, reply))
  })
}

type Site = {
  ctx: Context
  options: PagesOptions
  files: ReadonlySet<string>
  renderQueue: PageRenderQueue
  known: KnownValues
}

function answerAgain(site: Site, request: IncomingMessage): ReadyAnswer | undefined {
  const key = requestKey(request)
  if (key === null) return undefined
  const answer = site.options.ready.again(key)
  if (answer !== undefined) site.ctx.metrics.keptPages.count += 1
  return answer
}

function answerBuild(renderer: PageRenderer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { pathname } = splitUrl(request)
  if (pathname !== `/builds/meta/${renderer.buildId}.json`) {
    reply.callNotFound()
    return reply
  }
  return reply.header('cache-control', SHARED_CACHE_CONTROL).send({ id: renderer.buildId })
}

async function answerPath(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx } = site
  const address = splitUrl(request)
  // Browsers read a backslash as a slash, after which the name of another host could follow.
  if (address.pathname.includes('\\') || !URL.canParse(address.pathname, ctx.config.publicUrl)) throw malformedBody()
  if (isCallPath(address.pathname)) {
    reply.callNotFound()
    return reply
  }
  if (isBroken(request)) return answerPage(site, request, reply)
  if (site.files.has(address.pathname)) {
    return reply.header('cache-control', cacheControlOf(address.pathname)).sendFile(address.pathname.slice(1))
  }
  if (FILE_NAME.test(address.pathname) && !address.pathname.endsWith(PAYLOAD_NAME)) {
    reply.callNotFound()
    return reply
  }
  const lower = lowerCasePath(address.pathname)
  if (lower !== null) return reply.redirect(lower + address.search, 301)
  return answerPage(site, request, reply)
}

async function answerPage(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, options } = site
  const version = options.ready.version()
  const address = splitUrl(request)
  const { pathname, wantsPayload } = splitPayload(address.pathname)
  const view = pageView(ctx, request, {
    pathname,
    search: pageQuery(address.search, allowedQuery(options.renderer.routes, pathname)),
  })
  if (isBroken(request)) view.refused ??= refusalOf(malformedBody(), view.locale)
  try {
    // Page data is public and the maintenance page is the same for all, so a token changes neither of them.
    const isEverybodys = wantsPayload || ctx.config.maintenanceMessage !== null || !bringsToken(ctx, request)
    const visitor = isEverybodys ? null : await findVisitor(site, request, view)
    if (visitor?.session.status === 'authenticated') {
      const asker = askerOf(visitor.session.user?.id, ctx.clients.networkOf(request.raw))
      const own = await site.renderQueue.run(asker, () => makePage(site, view, visitor))
      return await sendOnce(request, reply, forReader(request, own))
    }
    const { key, page } = await visitorsPage(site, request, { view, wantsPayload, version })
    if (page.status >= 400 && isReadByBot(request)) return await sendOnce(request, reply, plainStatus(page))
    const answer = await answerTo(ctx, request, page)
    const requestKey = answeredKey(request)
    if (requestKey !== null) options.ready.remember(requestKey, key, answer, version)
    return sendReady(reply, answer)
  } catch (error) {
    if (wantsPayload) throw error
    return sendOnce(request, reply, forReader(request, await makeFailure(site, request, view, error)))
  }
}

/** Returns null, as for a visitor, if nobody's session can be read and the page is about just that. */
async function findVisitor(site: Site, request: FastifyRequest, view: PageView): Promise<PageVisitor | null> {
  const isTold = view.url.pathname === TOLD_IN_OUTAGES
  // A silent database would keep the visitor waiting for seconds.
  if (isTold && site.ctx.db.outages.away) return null
  try {
    return await site.options.visitorOf(request, view)
  } catch (error) {
    if (isTold && toAppError(error).httpStatus === 503) return null
    throw error
  }
}

/** Returns the page for an anonymous visitor. A cached page, or one being rendered, needs no place in the queue. */
async function visitorsPage(
  site: Site,
  request: FastifyRequest,
  asked: { view: PageView; wantsPayload: boolean; version: number },
): Promise<{ key: string; page: PackedPage }> {
  const { ctx, options, renderQueue, known } = site
  const { wantsPayload, version } = asked
  const { search, keep } = visitorQuery(asked.view.url, known)
  const url = new URL(asked.view.url.pathname + search, asked.view.url)
  // A cached page serves every time zone, so the browser's zone is left out.
  const view: PageView = { ...asked.view, url, browserTimeZone: null }
  const key = pageKey(options.renderer, view, { wantsPayload, version })
  const found = options.ready.find<PackedPage>(key)
  if (found !== undefined) return { key, page: await found }
  const made = renderQueue.run({ key: ctx.clients.networkOf(request.raw) }, async () =>
    options.ready.take<PackedPage>(key, async () => {
      const anonymous = options.anonymousVisitor(view)
      const page = await (wantsPayload ? makePayload(site, view, anonymous) : makePage(site, view, anonymous))
      return { entry: await packPage(page), cachedMs: page.keep && keep ? KEPT_MS : 0 }
    }),
  )
  return { key, page: await made }
}

async function makePage(site: Site, view: PageView, visitor: PageVisitor): Promise<FreshPage> {
  const { ctx, options } = site
  const settings = await visitor.api('GET /api/content/settings', {})
  const made = await options.renderer.render({ ...view, ...visitor, settings })
  if (made.kind === 'redirect') {
    return { status: 302, contentType: HTML, body: '', keep: false, location: made.location }
  }
  if (made.error !== undefined)
    ctx.log.error({ error: made.error, path: view.url.pathname }, 'a page could not be shown')
  return { status: made.status, contentType: HTML, body: made.html, keep: made.status === 200, location: null }
}

/** Makes the data of a page. Throws UNAUTHENTICATED for a page that visitors may not see. */
async function makePayload(site: Site, view: PageView, visitor: PageVisitor): Promise<FreshPage> {
  const { ctx, options } = site
  const settings = await visitor.api('GET /api/content/settings', {})
  const made = await options.renderer.payload({ ...view, ...visitor, settings })
  if (made.kind === 'redirect') throw unauthenticated()
  if (made.error !== undefined)
    ctx.log.error({ error: made.error, path: view.url.pathname }, 'a payload could not be made')
  const body = JSON.stringify(made.payload)
  return { status: made.status, contentType: JSON_TYPE, body, keep: made.status === 200, location: null }
}

/** Makes an error page, which loads only settings, or plain text if that fails or the caller is at a rate limit. */
async function makeFailure(site: Site, request: FastifyRequest, view: PageView, error: unknown): Promise<FreshPage> {
  const { ctx, options } = site
  const known = toAppError(error)
  const refused = refusalOf(known, view.locale)
  const words = refused.message
  const isRefused = known.code === 'TOO_MANY_REQUESTS'
  if (isRefused) noteRefusedCall(ctx, known, { network: ctx.clients.networkOf(request.raw), route: PAGE_ROUTE })
  else ctx.log.error({ error, path: view.url.pathname }, 'a page failed')
  if (known.httpStatus === 503 && !isRefused) {
    const visitor = options.anonymousVisitor(view)
    const page = await makePage(site, { ...view, refused }, visitor).catch(() => null)
    if (page !== null) return page
  }
  const body = `<!doctype html><html lang="${contentLocale(view.locale)}"><meta charset="utf-8"><title>${words}</title><p>${words}</p></html>`
  const page = { status: known.httpStatus, contentType: HTML, body, keep: false, location: null }
  return known.retryAfterSeconds === undefined ? page : { ...page, retryAfterSeconds: known.retryAfterSeconds }
}

function refusalOf(error: AppError, locale: InterfaceLocale) {
  return { httpStatus: error.httpStatus, code: error.code, message: error.words[contentLocale(locale)] }
}

/** Returns a page's cache key, made of the build, the version of the prices, and the `PageView` without `now`. */
function pageKey(
  renderer: PageRenderer,
  view: PageView,
  { wantsPayload, version }: { wantsPayload: boolean; version: number },
): string {
  const parts = [wantsPayload ? 'payload' : 'page', renderer.buildId, version, JSON.stringify({ ...view, now: null })]
  return parts.join(' ')
}

/** Returns true if `letBrokenPathPass` rewrote the path, because it cannot be decoded. */
function isBroken({ originalUrl, url }: FastifyRequest): boolean {
  return originalUrl !== url
}

/** Splits a URL. Several slashes at the start count as one, so that no code reads the next part as a host. */
function splitUrl(request: FastifyRequest): { pathname: string; search: string } {
  const [pathname = '/', ...query] = request.url.split('?')
  return { pathname: pathname.replace(/^\/{2,}/, '/'), search: query.length === 0 ? '' : `?${query.join('?')}` }
}
