import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import Fastify from 'fastify'
import type { Api, PageSession } from '#contract/calls/calls.ts'
import type { PageRenderer, PageReply, PageRequest } from '#contract/page-request.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { pricesVersion } from '#server/core/catalog/prices/prices-version.ts'
import { type Config, readConfig } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import { unheardOutages } from '#server/house/db/outages.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { createClientAddress } from '#server/house/http/door/client-address.ts'
import { createMetrics } from '#server/house/http/door/metrics.ts'
import { registerErrorReplies } from '#server/house/http/error-reply.ts'
import { serverWithFront } from '#server/house/http/ready/front.ts'
import { createReadyCache } from '#server/house/http/ready/ready-cache.ts'
import { Memory } from '#server/house/memory.ts'
import { letBrokenPathPass } from '#server/surfaces/pages/broken-path.ts'
import { registerPages } from '#server/surfaces/pages/pages.ts'
import { rawRequest } from '#test/harness/raw-request.ts'
import { recordingLog } from '#test/harness/recording-log.ts'

const VISITOR: PageSession = { status: 'unauthenticated', token: null, user: null }
const MEMBER: PageSession = { status: 'authenticated', token: 'bearer-of-anna', user: null }
const memberOf = (id: number | undefined): PageSession =>
  id === undefined ? MEMBER : { ...MEMBER, user: { id } as never }
const settings = { closedPages: [] }

type Setup = {
  config?: Partial<Config>
  render?: (page: PageRequest) => PageReply | Promise<PageReply>
  visitorOf?: () => Promise<never>
  memberId?: number
}

export async function startPages(setup: Setup = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/app-1.js'), 'plain script')
  await writeFile(join(folder, 'assets/app-1.js.br'), 'packed script')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  const { config } = readConfig({ DEMO: '1', PUBLIC_URL: 'https://ringpost.test', PAGES_PER_SECOND: '1000' })
  const log = recordingLog()
  let time = 0
  const ctx = {
    memory: new Memory(),
    redis: null,
    db: { outages: unheardOutages() },
    config: { ...config, ...setup.config },
    clock: { now: () => new Date(time) },
    metrics: createMetrics(),
    clients: createClientAddress(['127.0.0.1']),
    log,
  } as unknown as Context
  catalogOf(ctx).services.set('tg', {} as never)
  const rendered: PageRequest[] = []
  const seen = (page: PageRequest): PageReply =>
    page.refused === null
      ? {
          kind: 'page',
          status: 200,
          html: `<p>${page.session.token ?? 'visitor'} ${page.url.pathname}${page.url.search}</p>`,
        }
      : { kind: 'page', status: page.refused.httpStatus, html: `<p>${page.refused.message}</p>` }
  const renderer: PageRenderer = {
    buildId: 'build-1',
    routes: [
      { name: 'price___ru', path: '/price', access: 'public', query: ['service', 'country', 'page'] },
      { name: 'index___ru', path: '/', access: 'public', query: ['service', 'country', 'search'] },
    ],
    render: async (page) => {
      rendered.push(page)
      return (setup.render ?? seen)(page)
    },
    payload: async (page) => {
      rendered.push(page)
      if (page.url.pathname === '/secret') return { kind: 'redirect', location: '/?login=1' }
      const loaderData = { index___ru: page.session.token ?? 'visitor' }
      return { kind: 'payload', status: 200, payload: { buildId: 'build-1', now: page.now, loaderData } }
    },
  }
  const api = (async () => settings) as unknown as Api
  const app = Fastify({ ...serverWithFront(), rewriteUrl: letBrokenPathPass })
  await app.register(fastifyCookie)
  registerErrorReplies(app, ctx)
  app.setNotFoundHandler(() => Promise.reject(notFound()))
  await registerPages(app, ctx, {
    ready: createReadyCache({ clock: ctx.clock, version: () => pricesVersion(ctx) }),
    renderer,
    clientDir: folder,
    visitorOf:
      setup.visitorOf ??
      (async (request) => ({
        session: request.cookies['__Host-auth_token'] === 'anna' ? memberOf(setup.memberId) : VISITOR,
        api,
      })),
    anonymousVisitor: () => ({ session: VISITOR, api }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = (request: Parameters<typeof rawRequest>[1]) => rawRequest(app, request)
  const get = (path: string, headers: Record<string, string> = {}) => ask({ path, headers })
  return {
    ask,
    get,
    kept: () => ctx.metrics.keptPages.count,
    rendered,
    catalog: catalogOf(ctx),
    log,
    passMs: (ms: number) => {
      time += ms
    },
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}
