import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { pricesVersion } from '#server/core/catalog/prices/prices-version.ts'
import { type Call, registerCalls } from '#server/house/http/call.ts'
import { answerClientError } from '#server/house/http/door/client-errors.ts'
import { registerErrorReplies, sendError } from '#server/house/http/error-reply.ts'
import { registerOpenApi } from '#server/house/http/openapi.ts'
import { serverWithFront } from '#server/house/http/ready/front.ts'
import { createReadyCache, type ReadyCache } from '#server/house/http/ready/ready-cache.ts'
import { registerBodies } from '#server/house/http/request-bodies.ts'
import { WORD_OF as FIVE_SIM_WORDS } from '../adapters/five-sim/serve/refusals.ts'
import { refuseFiveSimPath, registerFiveSim } from '../adapters/five-sim/serve/routes.ts'
import { WORD_OF as HANDLER_API_WORDS } from '../adapters/handler-api/serve/refusals.ts'
import { registerHandlerApi } from '../adapters/handler-api/serve/routes.ts'
import { describedBroadcasting } from '../adapters/pusher-auth/describe-broadcasting.ts'
import { registerBroadcasting } from '../adapters/pusher-auth/routes.ts'
import { registerSandbox } from '../adapters/sandbox-gateway/page/routes.ts'
import { registerAgent } from '../adapters/sim-bank/serve/routes.ts'
import { noteKeyCall } from '../core/accounts/api-keys/call-log.ts'
import { openOwnApi } from '../core/accounts/api-keys/cross-origin.ts'
import { keyCalls } from '../core/accounts/api-keys/routes.ts'
import { captchaCalls } from '../core/accounts/captcha/routes.ts'
import { emailCalls } from '../core/accounts/emails/routes.ts'
import { passkeyCalls } from '../core/accounts/passkeys/routes.ts'
import { passwordCalls } from '../core/accounts/passwords/routes.ts'
import { registrationCalls } from '../core/accounts/registration/routes.ts'
import { sandboxCalls } from '../core/accounts/sandbox/routes.ts'
import { securityCalls } from '../core/accounts/security/routes.ts'
import { callerOf } from '../core/accounts/sign-in/caller-of.ts'
import { sessionCalls } from '../core/accounts/sign-in/routes.ts'
import { socialCalls } from '../core/accounts/social/routes.ts'
import { twoFactorCalls } from '../core/accounts/two-factor/routes.ts'
import { userCalls } from '../core/accounts/users/routes.ts'
import { directoryCalls } from '../core/catalog/directory/routes.ts'
import { favoriteCalls } from '../core/catalog/favorites/routes.ts'
import { rentCatalogCalls } from '../core/catalog/lists/rent-routes.ts'
import { catalogCalls } from '../core/catalog/lists/routes.ts'
import { pushCalls } from '../core/notifications/push/routes.ts'
import { notificationCalls } from '../core/notifications/routes.ts'
import { activationCalls } from '../core/numbers/activation-routes.ts'
import { historyCalls } from '../core/numbers/history/routes.ts'
import { registerIntake } from '../core/numbers/intake/routes.ts'
import { preorderCalls } from '../core/numbers/preorders/routes.ts'
import { rentalCalls } from '../core/numbers/rental-routes.ts'
import { purchaseCalls } from '../core/numbers/statistics/latest-routes.ts'
import { statisticsCalls } from '../core/numbers/statistics/routes.ts'
import { registerGatewayEvents } from '../core/payments/events/event-routes.ts'
import { paymentCalls } from '../core/payments/routes.ts'
import { privacyCalls } from '../core/privacy/routes.ts'
import { referralCalls } from '../core/programmes/referral/routes.ts'
import { programmeCalls } from '../core/programmes/routes.ts'
import { countLinks } from '../core/suppliers/running-suppliers.ts'
import { describedFiles } from '../core/support/files/describe-files.ts'
import { registerSupportFiles } from '../core/support/files/routes.ts'
import { supportCalls } from '../core/support/routes.ts'
import { webhookCalls } from '../core/webhooks/routes.ts'
import type { Context } from '../house/context.ts'
import { notFound } from '../house/errors/errors.ts'
import { closeUnusedConnections } from '../house/http/door/close-unused.ts'
import { type Drain, followConnections } from '../house/http/door/drain.ts'
import { guardFrontDoor } from '../house/http/door/front-door.ts'
import { registerHealth } from '../house/http/door/health.ts'
import { registerRequestMetrics } from '../house/http/door/request-metrics.ts'
import { registerSecurityText } from '../house/http/door/security-txt.ts'
import { transportSecurity } from '../house/http/door/transport-security.ts'
import { letBrokenPathPass } from '../surfaces/pages/broken-path.ts'
import { contentCalls } from '../surfaces/site/content/routes.ts'
import { counterCalls } from '../surfaces/site/counter/routes.ts'
import { registerDemoMail } from '../surfaces/site/demo-mail/routes.ts'
import { factsCalls } from '../surfaces/site/facts/routes.ts'
import { marketingCalls } from '../surfaces/site/marketing/routes.ts'
import { flashOf } from '../surfaces/site/notices/shown-notices.ts'
import { referenceCalls } from '../surfaces/site/reference/routes.ts'
import { siteCalls } from '../surfaces/site/settings/routes.ts'
import { registerSharePictures } from '../surfaces/site/share/routes.ts'
import { registerSiteMap } from '../surfaces/site/site-map/routes.ts'
import { registerStatus, statusCalls } from '../surfaces/site/status/routes.ts'
import { staffCalls } from '../surfaces/staff/routes.ts'
import { supplyCalls } from '../surfaces/staff/supply/routes.ts'
import { telegramCalls } from '../surfaces/telegram/routes.ts'
import { registerTelegramUpdates } from '../surfaces/telegram/updates/webhook-routes.ts'

export const calls: readonly Call[] = [
  ...sessionCalls,
  ...siteCalls,
  ...factsCalls,
  ...statusCalls,
  ...catalogCalls,
  ...rentCatalogCalls,
  ...favoriteCalls,
  ...activationCalls,
  ...rentalCalls,
  ...preorderCalls,
  ...purchaseCalls,
  ...paymentCalls,
  ...historyCalls,
  ...statisticsCalls,
  ...twoFactorCalls,
  ...securityCalls,
  ...keyCalls,
  ...sandboxCalls,
  ...webhookCalls,
  ...passkeyCalls,
  ...captchaCalls,
  ...socialCalls,
  ...marketingCalls,
  ...registrationCalls,
  ...passwordCalls,
  ...emailCalls,
  ...contentCalls,
  ...directoryCalls,
  ...programmeCalls,
  ...referralCalls,
  ...supportCalls,
  ...counterCalls,
  ...userCalls,
  ...staffCalls,
  ...supplyCalls,
  ...notificationCalls,
  ...telegramCalls,
  ...pushCalls,
  ...privacyCalls,
  ...referenceCalls(() => calls, { 'handler-api': HANDLER_API_WORDS, 'five-sim': FIVE_SIM_WORDS }),
]

/** The time in which a whole request must arrive, so that slow senders hold no sockets. */
const REQUEST_TIMEOUT_MS = 30 * SECOND
const KEEP_ALIVE_MS = 72 * SECOND
const BODY_LIMIT_BYTES = 64 * KIBIBYTE
const URL_PARAMETER_LENGTH = 200

/** Fastify would load a hundred modules to compile schemas. No route has one: Zod checks the input (http/call.ts). */
const noSchemas = () => () => {
  throw new Error('a route has a schema of Fastify, which nothing compiles')
}
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas }

export type PageRoutes = (app: FastifyInstance, ready: ReadyCache) => Promise<void>

/** Creates the application as the network sees it, with connection draining and live sockets. */
export async function createDoor(ctx: Context, pages?: PageRoutes): Promise<{ app: FastifyInstance; drain: Drain }> {
  const app = await createApp(ctx, pages)
  const drain = followConnections(app.server)
  ctx.realtime.attach(app.server)
  return { app, drain }
}

/** Creates the application. The order in which its parts are registered matters. */
export async function createApp(ctx: Context, pages?: PageRoutes): Promise<FastifyInstance> {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  const app = Fastify({
    // Fastify's own log is off, because request-metrics counts requests and `ctx.log` gets the failures.
    logger: false,
    // Request ids are generated here, because an id from the client could repeat in the log.
    genReqId: () => ctx.random.uuid(),
    trustProxy: ctx.clients.trusts,
    bodyLimit: BODY_LIMIT_BYTES,
    ...serverWithFront({ requestTimeoutMs: REQUEST_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS }),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    // Requests are answered while the server closes, because none of our protocols knows Fastify's 503.
    return503OnClosing: false,
    rewriteUrl: letBrokenPathPass,
    routerOptions: { maxParamLength: URL_PARAMETER_LENGTH },
    schemaController: { compilersFactory: NO_SCHEMAS },
    // A path that cannot be decoded matches no route, so no route's error handler sees the error.
    frameworkErrors: (error, request, reply) => {
      reply.headers(everyReply)
      if (!refuseFiveSimPath(ctx, { request, reply }, error)) sendError(ctx, request, reply, error)
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
  registerBodies(app)
  registerHealth(app, ctx, () => countLinks(ctx))
  registerSecurityText(app, ctx)
  openOwnApi(app)
  const ready = createReadyCache({ clock: ctx.clock, version: () => pricesVersion(ctx) })
  registerCalls(app, ctx, { calls, callerOf, noteKeyCall, ready })
  registerOpenApi(app, calls, [describedFiles, describedBroadcasting])
  registerBroadcasting(app, ctx)
  registerHandlerApi(app, ctx)
  await registerFiveSim(app, ctx, flashOf)
  await registerAgent(app, ctx)
  await registerGatewayEvents(app, ctx)
  await registerIntake(app, ctx)
  await registerSupportFiles(app, ctx)
  registerTelegramUpdates(app, ctx)
  registerSiteMap(app, ctx)
  registerSharePictures(app, ctx)
  registerStatus(app, ctx)
  if (ctx.config.demo) {
    registerDemoMail(app, ctx)
    registerSandbox(app, ctx)
  }

  app.setNotFoundHandler((request, reply) => sendError(ctx, request, reply, notFound()))
  if (pages !== undefined) await app.register((scope) => pages(scope, ready))
  guardFrontDoor(app, ctx)
  return app
}
