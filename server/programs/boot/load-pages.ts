import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { contentLocale } from '#contract/settings/languages.ts'
import { memberByCookie } from '#server/core/accounts/sign-in/member-by-cookie.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import type { Context } from '#server/house/context.ts'
import { type Caller, zoneOf } from '#server/house/http/caller.ts'
import { mayLagIf } from '#server/house/replica/fresh.ts'
import { calls, type PageRoutes } from '#server/programs/app.ts'
import { inProcessApi } from '#server/surfaces/pages/in-process-api.ts'
import { loadPageRenderer } from '#server/surfaces/pages/page-renderer.ts'
import type { PageView, PageVisitor } from '#server/surfaces/pages/page-request.ts'
import { registerPages } from '#server/surfaces/pages/pages.ts'

const DIST = join(import.meta.dirname, '../../../dist')
const callsByKey = new Map(calls.map((call) => [call.key, call]))

export async function loadPages(ctx: Context): Promise<PageRoutes> {
  const renderer = await loadPageRenderer(DIST)
  return (app, ready) =>
    registerPages(app, ctx, {
      ready,
      renderer,
      clientDir: join(DIST, 'client'),
      visitorOf: (request, view) => visitorOf(ctx, request, view),
      anonymousVisitor: (view) => anonymous(ctx, view),
    })
}

function anonymous(ctx: Context, view: PageView): PageVisitor {
  const zone = ctx.config.zones.find(({ name }) => name === view.zone.name)
  if (zone === undefined) throw new Error(`there is no zone ${view.zone.name}`)
  const locale = contentLocale(view.locale)
  const caller: Caller = { member: null, locale, zone, address: '', network: '', userAgent: '', mayLag: true }
  const api = inProcessApi(ctx, callsByKey, caller)
  return { session: { status: 'unauthenticated', token: null, user: null }, api }
}

async function visitorOf(ctx: Context, request: FastifyRequest, view: PageView): Promise<PageVisitor> {
  const found = await memberByCookie(ctx, request)
  if (found === null) return anonymous(ctx, view)
  const { member, token } = found
  const user = await getUser(ctx, member)
  const { clients } = ctx
  const caller = mayLagIf(ctx, request, {
    member,
    locale: contentLocale(view.locale),
    zone: zoneOf(ctx, request),
    address: clients.addressOf(request.raw),
    network: clients.networkOf(request.raw),
    userAgent: '',
  })
  const api = inProcessApi(ctx, callsByKey, caller)
  return { session: { status: 'authenticated', token, user }, api }
}
