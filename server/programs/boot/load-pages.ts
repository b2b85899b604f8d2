import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { findByAccessToken, findByRefreshToken } from '#server/core/accounts/sessions/queries.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import type { Context } from '#server/house/context.ts'
import { type Caller, type Member, zoneOf } from '#server/house/http/caller.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { calls, type PageRoutes } from '#server/programs/app.ts'
import { inProcessApi } from '#server/surfaces/pages/in-process-api.ts'
import { loadPageRenderer } from '#server/surfaces/pages/page-renderer.ts'
import type { PageView, PageVisitor } from '#server/surfaces/pages/page-request.ts'
import { registerPages } from '#server/surfaces/pages/pages.ts'

const DIST = join(import.meta.dirname, '../../../dist')
const callsByKey = new Map(calls.map((call) => [call.key, call]))

/** Throws if the pages are not built. */
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
  const caller: Caller = { member: null, locale: view.locale, zone, address: '', network: '', userAgent: '' }
  const api = inProcessApi(ctx, callsByKey, caller)
  return { session: { status: 'unauthenticated', token: null, user: null }, api }
}

/** An expired token with a valid refresh token renders as signed in, but without a bearer (docs/security.md). */
async function visitorOf(ctx: Context, request: FastifyRequest, view: PageView): Promise<PageVisitor> {
  const now = ctx.clock.now()
  const access = readOwnCookie(ctx.config, request, 'access')
  const refresh = readOwnCookie(ctx.config, request, 'refresh')
  const credential = {
    kind: 'cookie',
    hash: hashToken(access ?? refresh ?? ''),
    network: ctx.clients.networkOf(request.raw),
  } as const
  const found = await lookUpCredential(ctx, credential, async () => {
    const current = access === undefined ? null : await findByAccessToken(ctx.db, { hash: hashToken(access), now })
    if (current !== null) return { owner: current, token: access ?? null }
    const owner = refresh === undefined ? null : await findByRefreshToken(ctx.db, { hash: hashToken(refresh), now })
    return owner === null ? null : { owner, token: null }
  })
  if (found === null) return anonymous(ctx, view)
  const { owner, token } = found
  const member: Member = {
    userId: owner.user_id,
    currency: owner.currency,
    role: owner.role,
    sessionId: owner.session_id,
    key: null,
    isBlocked: owner.blocked,
  }
  const user = await getUser(ctx, member)
  const { clients } = ctx
  const api = inProcessApi(ctx, callsByKey, {
    member,
    locale: view.locale,
    zone: zoneOf(ctx, request),
    address: clients.addressOf(request.raw),
    network: clients.networkOf(request.raw),
    userAgent: '',
  })
  return { session: { status: 'authenticated', token, user }, api }
}
