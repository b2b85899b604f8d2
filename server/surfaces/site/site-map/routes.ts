import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOUR, SECOND } from '#contract/time.ts'
import { originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import { zoneOf } from '#server/house/http/caller.ts'
import { contentOf } from '#server/surfaces/site/content/content-of.ts'
import { languageOf, listAddresses, listParts, PARTS, type Part } from './addresses.ts'
import { element, escapeXml, XML_HEAD } from './xml.ts'

const XML = 'application/xml; charset=utf-8'
const RSS = 'application/rss+xml; charset=utf-8'
const CACHE_CONTROL = `public, max-age=${HOUR / SECOND}`
const ARTICLES_IN_FEED = 30

/** Serves robots.txt and the site map, which hosts without `indexing` lack. */
export function registerSiteMap(app: FastifyInstance, ctx: Context): void {
  app.get('/robots.txt', (request, reply) => sendRobots(ctx, request, reply))
  app.get('/sitemap.xml', (request, reply) => sendIndex(ctx, request, reply))
  app.get<{ Params: { file: string } }>('/sitemaps/:file', (request, reply) => sendPart(ctx, request, reply))
  app.get('/blog/rss.xml', (request, reply) => sendFeed(ctx, request, reply))
}

function sendRobots(ctx: Context, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const zone = zoneOf(ctx, request)
  // Personal pages are not listed. They carry noindex, and a list would reveal their addresses.
  const lines = zone.indexing
    ? [
        'User-agent: *',
        'Disallow: /api/',
        'Disallow: /blog/search/',
        '',
        `Sitemap: ${originOf(ctx.config, zone)}/sitemap.xml`,
      ]
    : ['User-agent: *', 'Disallow: /']
  return send(reply, 'text/plain; charset=utf-8', `${lines.join('\n')}\n`)
}

async function sendIndex(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const zone = zoneOf(ctx, request)
  if (!zone.indexing) return missing(reply)
  const origin = originOf(ctx.config, zone)
  const parts = (await listParts(ctx, zone)).map(
    (part) => `<sitemap>${element('loc', `${origin}/sitemaps/${part}.xml`)}</sitemap>\n`,
  )
  const body = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${parts.join('')}</sitemapindex>\n`
  return send(reply, XML, XML_HEAD + body)
}

async function sendPart(
  ctx: Context,
  request: FastifyRequest<{ Params: { file: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const zone = zoneOf(ctx, request)
  const part = PARTS.find((name: Part) => `${name}.xml` === request.params.file)
  if (part === undefined || !zone.indexing) return missing(reply)
  const origin = originOf(ctx.config, zone)
  const addresses = await listAddresses(ctx, zone, part)
  if (addresses.length === 0) return missing(reply)
  const lines = addresses.map(({ path, changedOn }) => {
    const changed = changedOn === null ? '' : element('lastmod', changedOn)
    return `<url>${element('loc', origin + (path === '/' ? '' : path))}${changed}</url>\n`
  })
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`
  return send(reply, XML, XML_HEAD + body)
}

async function sendFeed(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (ctx.config.closedPages.includes('blog')) return missing(reply)
  const zone = zoneOf(ctx, request)
  const locale = languageOf(zone)
  const origin = originOf(ctx.config, zone)
  const { articles } = (await contentOf(ctx))[locale]
  const items = articles.slice(0, ARTICLES_IN_FEED).map(({ path, front }) => {
    const date = new Date(`${front.published}T00:00:00Z`).toUTCString()
    const link = `${element('link', origin + path)}<guid isPermaLink="true">${escapeXml(origin + path)}</guid>`
    return `<item>${element('title', front.title)}${link}${element('description', front.description)}${element('pubDate', date)}</item>\n`
  })
  const title = locale === 'ru' ? 'Ringpost: блог' : 'Ringpost: blog'
  const about = locale === 'ru' ? 'О временных номерах и кодах' : 'About temporary numbers and codes'
  const self = `<atom:link href="${escapeXml(origin)}/blog/rss.xml" rel="self" type="application/rss+xml"/>`
  const head = element('title', title) + element('link', `${origin}/blog`) + element('description', about)
  const channel = `<channel>${head}${element('language', locale)}${self}\n${items.join('')}</channel>`
  return send(reply, RSS, `${XML_HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">${channel}</rss>\n`)
}

function send(reply: FastifyReply, contentType: string, body: string): FastifyReply {
  return reply.header('cache-control', CACHE_CONTROL).type(contentType).send(body)
}

function missing(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}
