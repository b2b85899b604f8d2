import { alarmTasks } from '#server/alarms/outlets.ts'
import type { Context } from '#server/context.ts'
import type { Task } from '#server/jobs/runner.ts'
import { type MailOutlet, sendMail } from '#server/mail/send-mail.ts'
import { mailNotification } from '#server/notifications/mail-notification.ts'
import { sendPush } from '#server/notifications/push/send-push.ts'
import { tellNotification } from '#server/notifications/tell.ts'
import { abandonAttempt, endNumber } from '#server/numbers/activations/tell-supplier.ts'
import { abandonExtension, abandonRental, endRental } from '#server/numbers/rentals/tell-supplier.ts'
import { refundPayment } from '#server/payments/refund-payment.ts'
import { makeExport } from '#server/privacy/export/make-export.ts'
import { mailAnswer } from '#server/support/mail-answer.ts'
import { telegramTasks } from '#server/telegram/tasks.ts'

/** What each job of the queue does, by the name that statements give it. */
export function tasksOf(ctx: Context, mails: MailOutlet | undefined): Record<string, Task> {
  return {
    'end-number': (payload) => endNumber(ctx, payload),
    'abandon-attempt': (payload) => abandonAttempt(ctx, payload),
    'end-rental': (payload) => endRental(ctx, payload),
    'abandon-rental': (payload) => abandonRental(ctx, payload),
    'abandon-extension': (payload) => abandonExtension(ctx, payload),
    'refund-payment': (payload) => refundPayment(ctx, payload),
    'export-data': (payload) => makeExport(ctx, payload),
    'mail-answer': (payload) => mailAnswer(ctx, payload),
    'tell-notification': (payload) => tellNotification(ctx, payload),
    'mail-notification': (payload) => mailNotification(ctx, payload),
    ...telegramTasks(ctx),
    ...alarmTasks(ctx),
    'send-push': (payload) => sendPush(ctx, payload),
    // Without templates mails wait.
    ...(mails !== undefined && { 'send-mail': (payload: unknown) => sendMail(ctx, mails, payload) }),
  }
}
