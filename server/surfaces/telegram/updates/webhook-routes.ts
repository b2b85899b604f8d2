import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { KIBIBYTE } from '#contract/time.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { WEBHOOK_PATH, webhookSecret } from './follow-updates.ts'
import { takeUpdates } from './take-updates.ts'

/** The maximum size of an update. It fits a long message with its formatting and the message that it answers. */
const UPDATE_LIMIT_BYTES = 256 * KIBIBYTE
const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** Receives updates from Telegram. Without the secret the route answers 404 and does not read the body. */
export function registerTelegramUpdates(app: FastifyInstance, ctx: Context): void {
  if (telegramOf(ctx).bot === null || ctx.config.telegram?.updates !== 'webhook') return
  const secret = webhookSecret(ctx)
  app.post(WEBHOOK_PATH, {
    bodyLimit: UPDATE_LIMIT_BYTES,
    async onRequest(request) {
      const shown = request.headers[SECRET_HEADER]
      if (typeof shown !== 'string' || !isSame(shown, secret)) throw notFound()
    },
    async handler(request, reply) {
      await takeUpdates(ctx, [request.body])
      return reply.header('cache-control', 'no-store').send({ status: true })
    },
  })
}

/** Compares secrets in constant time, whatever their lengths. */
function isSame(shown: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(secret))
}
