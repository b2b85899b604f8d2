import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { STYLE_SOURCE } from '#server/house/http/plain-page/page-frame.ts'
import { localeOfPage, sendHtml } from '#server/house/http/plain-page/send-html.ts'
import { type DemoMail, findDemoMail, listDemoMails } from '#server/house/mail/demo-mail-queries.ts'
import { listPage, mailPage } from './page.ts'

const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src ${STYLE_SOURCE}`,
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/**
 * The content security policy of a shown mail. The mail runs and loads nothing, even if it is opened without the frame.
 * Its links open outside the frame.
 */
const LETTER_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
].join('; ')

const ID_PATTERN = /^\d{1,18}$/

/** Shows all mails of the demo. Registered only under DEMO, because any visitor can read everybody's mail there. */
export function registerDemoMail(app: FastifyInstance, ctx: Context): void {
  app.get('/demo/mail.json', async (_request, reply) => {
    const mails = await listDemoMails(ctx.db)
    return reply
      .header('cache-control', 'no-store')
      .send(mails.map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at: at.toISOString() })))
  })
  app.get('/demo/mail', async (request, reply) => {
    const mails = await listDemoMails(ctx.db)
    return sendHtml(reply, PAGE_POLICY, listPage(localeOfPage(ctx, request), mails))
  })
  app.get<{ Params: { id: string } }>('/demo/mail/:id', async (request, reply) => {
    const mail = await requireMail(ctx, request.params.id)
    return sendHtml(reply, PAGE_POLICY, mailPage(localeOfPage(ctx, request), mail))
  })
  app.get<{ Params: { id: string } }>('/demo/mail/:id/letter', async (request, reply) => {
    const mail = await requireMail(ctx, request.params.id)
    return sendHtml(reply, LETTER_POLICY, mail.html)
  })
}

async function requireMail(ctx: Context, id: string): Promise<DemoMail> {
  const mail = ID_PATTERN.test(id) ? await findDemoMail(ctx.db, BigInt(id)) : null
  if (mail === null) throw notFound()
  return mail
}
