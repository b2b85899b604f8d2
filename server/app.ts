import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { activationCalls } from '#server/features/activations/routes.ts'
import { openOwnApi } from '#server/features/api-keys/cross-origin.ts'
import { registerBroadcasting } from '#server/features/broadcasting/routes.ts'
import { captchaCalls } from '#server/features/captcha/routes.ts'
import { rentCatalogCalls } from '#server/features/catalog/rent-routes.ts'
import { catalogCalls } from '#server/features/catalog/routes.ts'
import { contentCalls } from '#server/features/content/routes.ts'
import { counterCalls } from '#server/features/counter/routes.ts'
import { registerDemoMail } from '#server/features/demo-mail/routes.ts'
import { directoryCalls } from '#server/features/directory/routes.ts'
import { emailCalls } from '#server/features/emails/routes.ts'
import { favoriteCalls } from '#server/features/favorites/routes.ts'
import { registerHandlerApi } from '#server/features/handler-api/routes.ts'
import { historyCalls } from '#server/features/history/routes.ts'
import { marketingCalls } from '#server/features/marketing/routes.ts'
import { passwordCalls } from '#server/features/passwords/routes.ts'
import { preorderCalls } from '#server/features/preorders/routes.ts'
import { programmeCalls } from '#server/features/programmes/routes.ts'
import { purchaseCalls } from '#server/features/purchases/routes.ts'
import { registrationCalls } from '#server/features/registration/routes.ts'
import { rentalCalls } from '#server/features/rentals/routes.ts'
import { securityCalls } from '#server/features/security/routes.ts'
import { callerOf } from '#server/features/sessions/caller-of.ts'
import { sessionCalls } from '#server/features/sessions/routes.ts'
import { siteCalls } from '#server/features/site/routes.ts'
import { registerSiteMap } from '#server/features/site-map/routes.ts'
import { socialCalls } from '#server/features/social/routes.ts'
import { statisticsCalls } from '#server/features/statistics/routes.ts'
import { twoFactorCalls } from '#server/features/two-factor/routes.ts'
import { userCalls } from '#server/features/users/routes.ts'
import { type Call, registerCalls } from '#server/http/call.ts'
import { registerErrorReplies, sendError } from '#server/http/error-reply.ts'
import { registerFormBodies } from '#server/http/form-body.ts'
import { registerJsonBodies } from '#server/http/json-body.ts'
import { registerOpenApi } from '#server/http/openapi.ts'
import { closeUnusedConnections } from './http/door/close-unused.ts'
import { guardFrontDoor } from './http/door/front-door.ts'
import { registerHealth } from './http/door/health.ts'
import { registerRequestMetrics } from './http/door/request-metrics.ts'
import { registerSecurityText } from './http/door/security-txt.ts'
import { transportSecurity } from './http/door/transport-security.ts'

/** Every call of the site and of /api/v1, feature by feature. */
export const calls: readonly Call[] = [
  ...sessionCalls,
  ...siteCalls,
  ...catalogCalls,
  ...rentCatalogCalls,
  ...favoriteCalls,
  ...activationCalls,
  ...rentalCalls,
  ...preorderCalls,
  ...purchaseCalls,
  ...historyCalls,
  ...statisticsCalls,
  ...twoFactorCalls,
  ...securityCalls,
  ...captchaCalls,
  ...socialCalls,
  ...marketingCalls,
  ...registrationCalls,
  ...passwordCalls,
  ...emailCalls,
  ...contentCalls,
  ...directoryCalls,
  ...programmeCalls,
  ...counterCalls,
  ...userCalls,
]

/** A whole request, headers and body, must arrive within this time: slow senders do not hold sockets. */
const REQUEST_TIMEOUT_MS = 30 * SECOND
const KEEP_ALIVE_MS = 72 * SECOND
const BODY_LIMIT_BYTES = 64 * KIBIBYTE
const URL_PARAMETER_LENGTH = 200

/** What the pages add to the app, when they are built: the last routes, for everything that is not a call. */
export type PageRoutes = (app: FastifyInstance) => Promise<void>

/** The HTTP application, ready to listen. Order matters and is all here. */
export async function createApp(ctx: Context, pages?: PageRoutes): Promise<FastifyInstance> {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  const app = Fastify({
    // One line a request would be most of the log: request-metrics counts them, and failures are logged through
    // `ctx.log` where they are handled.
    logger: false,
    // Ours, never a client's: two requests with one id would be one in the log.
    genReqId: () => ctx.random.uuid(),
    trustProxy: ctx.clients.trusts,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // What still comes while the server closes is answered as ever; Fastify's own 503 is in none of our protocols.
    return503OnClosing: false,
    routerOptions: { maxParamLength: URL_PARAMETER_LENGTH },
    // A path that cannot be decoded, or has an endless part, finds no route and so no error handler.
    frameworkErrors: (error, request, reply) => {
      sendError(ctx, request, reply.headers(everyReply), error)
    },
  })
  await app.register(fastifyCookie)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(everyReply)
    done()
  })
  closeUnusedConnections(app)
  registerErrorReplies(app, ctx)
  registerRequestMetrics(app, ctx)
  registerJsonBodies(app)
  registerFormBodies(app)
  registerHealth(app, ctx)
  registerSecurityText(app, ctx)
  openOwnApi(app)
  registerCalls(app, ctx, { calls, callerOf })
  registerOpenApi(app, calls)
  registerBroadcasting(app, ctx)
  registerHandlerApi(app, ctx)
  registerSiteMap(app, ctx)
  if (ctx.config.demo) registerDemoMail(app, ctx)

  app.setNotFoundHandler((request, reply) => sendError(ctx, request, reply, notFound()))
  if (pages !== undefined) await app.register(pages)
  guardFrontDoor(app, ctx)
  return app
}
