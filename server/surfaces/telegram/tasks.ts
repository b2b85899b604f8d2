import type { Context } from '#server/house/context.ts'
import type { Task } from '#server/house/jobs/runner.ts'
import { sendReply } from './sending/reply.ts'
import { sendCode } from './sending/send-code.ts'
import { sendNotification } from './sending/send-notification.ts'
import { processUpdate } from './updates/process-update.ts'

export function telegramTasks(ctx: Context): Record<string, Task> {
  return {
    'telegram-update': (payload) => processUpdate(ctx, payload),
    'telegram-code': (payload) => sendCode(ctx, payload),
    'telegram-reply': (payload) => sendReply(ctx, payload),
    'telegram-notification': (payload) => sendNotification(ctx, payload),
  }
}
