import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DEEDS } from '#server/adapters/sandbox-gateway/queries.ts'
import { isSandbox, SANDBOX_PATH, type Sandbox } from '#server/adapters/sandbox-gateway/sandbox.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { takeEvent } from '#server/core/payments/events/take-event.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { STYLE_SOURCE } from '#server/house/http/plain-page/page-frame.ts'
import { localeOfPage, sendHtml } from '#server/house/http/plain-page/send-html.ts'
import { sandboxPage } from './page.ts'

const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src ${STYLE_SOURCE}`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const formSchema = z.object({ deed: z.enum(DEEDS) })

/** Serves a page that simulates a bank and everything that can happen to a payment. Registered only under DEMO. */
export function registerSandbox(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { id: string } }>(`${SANDBOX_PATH}/:id`, async (request, reply) => {
    const { found } = await requirePayment(ctx, request.params.id)
    return sendHtml(reply, PAGE_POLICY, sandboxPage(localeOfPage(ctx, request), found))
  })
  app.post<{ Params: { id: string } }>(`${SANDBOX_PATH}/:id`, async (request, reply) => {
    const { sandbox, found } = await requirePayment(ctx, request.params.id)
    const form = formSchema.safeParse(request.body)
    if (!form.success) throw notFound()
    const event = await sandbox.play(found.id, form.data.deed)
    // The simulated event goes through the same handler as an event of a real gateway.
    if (event !== null) {
      const from = { address: ctx.clients.addressOf(request.raw), network: ctx.clients.networkOf(request.raw) }
      await takeEvent(ctx, { ...event, ...from, code: sandbox.code, receivedAt: ctx.clock.now() })
    }
    const stays = form.data.deed === 'expire' || form.data.deed === 'confirm' || event === null
    return reply.redirect(stays ? `${SANDBOX_PATH}/${found.id}` : found.return_url, 303)
  })
}

async function requirePayment(ctx: Context, id: string) {
  const sandbox = gatewaysOf(ctx)
    .all()
    .map(({ gateway }) => gateway)
    .find((gateway): gateway is Sandbox => isSandbox(gateway))
  const found = await sandbox?.find(id)
  if (sandbox === undefined || found === null || found === undefined) throw notFound()
  return { sandbox, found }
}
