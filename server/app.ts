import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { pricesVersion } from '#server/catalog/offers/prices-version.ts'
import { type Call, registerCalls } from '#server/http/call.ts'
import { answerClientError } from '#server/http/door/client-errors.ts'
import { registerErrorReplies, sendError } from '#server/http/error-reply.ts'
import { registerFormBodies } from '#server/http/form-body.ts'
import { registerJsonBodies } from '#server/http/json-body.ts'
import { registerOpenApi } from '#server/http/openapi.ts'
import { serverWithFront } from '#server/http/ready/front.ts'
import { createReadyCache, type ReadyCache } from '#server/http/ready/ready-cache.ts'
import { noteKeyCall } from './accounts/api-keys/call-log.ts'
import { openOwnApi } from './accounts/api-keys/cross-origin.ts'
import { keyCalls } from './accounts/api-keys/routes.ts'
import { captchaCalls } from './accounts/captcha/routes.ts'
import { emailCalls } from './accounts/emails/routes.ts'
import { passkeyCalls } from './accounts/passkeys/routes.ts'
import { passwordCalls } from './accounts/passwords/routes.ts'
import { registrationCalls } from './accounts/registration/routes.ts'
import { sandboxCalls } from './accounts/sandbox/routes.ts'
import { securityCalls } from './accounts/security/routes.ts'
import { callerOf } from './accounts/sessions/caller-of.ts'
import { sessionCalls } from './accounts/sessions/routes.ts'
import { socialCalls } from './accounts/social/routes.ts'
import { twoFactorCalls } from './accounts/two-factor/routes.ts'
import { userCalls } from './accounts/users/routes.ts'
import { directoryCalls } from './catalog/directory/routes.ts'
import { favoriteCalls } from './catalog/favorites/routes.ts'
import { rentCatalogCalls } from './catalog/lists/rent-routes.ts'
import { catalogCalls } from './catalog/lists/routes.ts'
import type { Context } from './context.ts'
import { notFound } from './errors.ts'
import { closeUnusedConnections } from './http/door/close-unused.ts'
import { type Drain, followConnections } from './http/door/drain.ts'
import { guardFrontDoor } from './http/door/front-door.ts'
import { registerHealth } from './http/door/health.ts'
import { registerRequestMetrics } from './http/door/request-metrics.ts'
import { registerSecurityText } from './http/door/security-txt.ts'
import { transportSecurity } from './http/door/transport-security.ts'
import { pushCalls } from './notifications/push/routes.ts'
import { notificationCalls } from './notifications/routes.ts'
import { activationCalls } from './numbers/activations/routes.ts'
import { historyCalls } from './numbers/history/routes.ts'
import { registerIntake } from './numbers/intake/routes.ts'
import { preorderCalls } from './numbers/preorders/routes.ts'
import { rentalCalls } from './numbers/rentals/routes.ts'
import { purchaseCalls } from './numbers/statistics/latest-routes.ts'
import { statisticsCalls } from './numbers/statistics/routes.ts'
import { letBrokenPathPass } from './pages/broken-path.ts'
import { registerGatewayEvents } from './payments/events/event-routes.ts'
import { paymentCalls } from './payments/routes.ts'
import { privacyCalls } from './privacy/routes.ts'
import { referralCalls } from './programmes/referral/routes.ts'
import { programmeCalls } from './programmes/routes.ts'
import { registerAgent } from './protocols/agent/routes.ts'
import { refuseFiveSimPath, registerFiveSim } from './protocols/five-sim/routes.ts'
import { registerHandlerApi } from './protocols/handler-api/routes.ts'
import { describedBroadcasting } from './protocols/pusher-auth/describe-broadcasting.ts'
import { registerBroadcasting } from './protocols/pusher-auth/routes.ts'
import { contentCalls } from './site/content/routes.ts'
import { counterCalls } from './site/counter/routes.ts'
import { registerDemoMail } from './site/demo-mail/routes.ts'
import { marketingCalls } from './site/marketing/routes.ts'
import { flashOf } from './site/notices/shown-notices.ts'
import { referenceCalls } from './site/reference/routes.ts'
import { registerSandbox } from './site/sandbox/routes.ts'
import { siteCalls } from './site/settings/routes.ts'
import { registerSiteMap } from './site/site-map/routes.ts'
import { countLinks } from './suppliers/registry.ts'
import { describedFiles } from './support/files/describe-files.ts'
import { registerSupportFiles } from './support/files/routes.ts'
import { supportCalls } from './support/routes.ts'
import { staffCalls } from './support/staff/routes.ts'
import { supplyCalls } from './support/staff/supply/routes.ts'
import { telegramCalls } from './telegram/routes.ts'
import { registerTelegramUpdates } from './telegram/updates/webhook-routes.ts'
import { webhookCalls } from './webhooks/routes.ts'

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
  ...referenceCalls(() => calls),
]

/** A whole request must arrive within this time: slow senders do not hold sockets. */
const REQUEST_TIMEOUT_MS = 30 * SECOND
const KEEP_ALIVE_MS = 72 * SECOND
const BODY_LIMIT_BYTES = 64 * KIBIBYTE
const URL_PARAMETER_LENGTH = 200

/** Zod checks what comes in (http/call.ts). Fastify would load a hundred modules to compile schemas that no route has. */
const noSchemas = () => () => {
  throw new Error('a route has a schema of Fastify, which nothing compiles')
}
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas }

export type PageRoutes = (app: FastifyInstance, ready: ReadyCache) => Promise<void>

/** The application as the network meets it: with the drain and the live sockets. */
export async function createDoor(ctx: Context, pages?: PageRoutes): Promise<{ app: FastifyInstance; drain: Drain }> {
  const app = await createApp(ctx, pages)
  const drain = followConnections(app.server)
  ctx.realtime.attach(app.server)
  return { app, drain }
}

/** The order of registration matters. */
export async function createApp(ctx: Context, pages?: PageRoutes): Promise<FastifyInstance> {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  const app = Fastify({
    // request-metrics counts requests, and failures are logged through `ctx.log` where they are handled.
    logger: false,
    // A client's own id could repeat in the log.
    genReqId: () => ctx.random.uuid(),
    trustProxy: ctx.clients.trusts,
    bodyLimit: BODY_LIMIT_BYTES,
    ...serverWithFront({ requestTimeoutMs: REQUEST_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS }),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    // Requests are answered while the server closes; Fastify's own 503 is in none of our protocols.
    return503OnClosing: false,
    rewriteUrl: letBrokenPathPass,
    routerOptions: { maxParamLength: URL_PARAMETER_LENGTH },
    schemaController: { compilersFactory: NO_SCHEMAS },
    // A path that cannot be decoded finds no route and so no error handler.
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
  registerJsonBodies(app)
  registerFormBodies(app)
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
  if (ctx.config.demo) {
    registerDemoMail(app, ctx)
    registerSandbox(app, ctx)
  }

  app.setNotFoundHandler((request, reply) => sendError(ctx, request, reply, notFound()))
  if (pages !== undefined) await app.register((scope) => pages(scope, ready))
  guardFrontDoor(app, ctx)
  return app
}
