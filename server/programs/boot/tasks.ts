import { alarmTasks } from '#server/core/alarms/outlets.ts'
import { endMailDown } from '#server/core/alarms/watch-mail.ts'
import { mailNotification } from '#server/core/notifications/mail-notification.ts'
import { sendPush } from '#server/core/notifications/push/send-push.ts'
import { tellNotification } from '#server/core/notifications/tell.ts'
import { abandonAttempt, endNumber } from '#server/core/numbers/activations/tell-supplier.ts'
import { pushMessage } from '#server/core/numbers/listing/push-message.ts'
import { abandonExtension, abandonRental, endRental } from '#server/core/numbers/rentals/tell-supplier.ts'
import { refundPayment } from '#server/core/payments/refund-payment.ts'
import { makeExport } from '#server/core/privacy/export/make-export.ts'
import { mailAnswer } from '#server/core/support/mail-answer.ts'
import type { Context } from '#server/house/context.ts'
import type { Lane } from '#server/house/jobs/runner.ts'
import { type MailOutlet, sendMail } from '#server/house/mail/send-mail.ts'
import { telegramTasks } from '#server/surfaces/telegram/tasks.ts'

/** Maps each task of the job queue to its function. Lanes group tasks, and limit how many of them run at once. */
export function lanesOf(ctx: Context, mails: MailOutlet | undefined): Lane[] {
  return [
    {
      // Tasks of this lane wait for no remote service.
      hands: 3,
      tasks: {
        'export-data': (payload) => makeExport(ctx, payload),
        'mail-answer': (payload) => mailAnswer(ctx, payload),
        'tell-notification': (payload) => tellNotification(ctx, payload),
        'mail-notification': (payload) => mailNotification(ctx, payload),
        'push-message': (payload) => pushMessage(ctx, payload),
      },
    },
    {
      hands: 3,
      tasks: {
        'end-number': (payload) => endNumber(ctx, payload),
        'abandon-attempt': (payload) => abandonAttempt(ctx, payload),
        'end-rental': (payload) => endRental(ctx, payload),
        'abandon-rental': (payload) => abandonRental(ctx, payload),
        'abandon-extension': (payload) => abandonExtension(ctx, payload),
      },
    },
    { hands: 2, tasks: { 'refund-payment': (payload) => refundPayment(ctx, payload) } },
    { hands: 2, tasks: alarmTasks(ctx) },
    // These lanes have a worker per queue. Telegram has two send queues and a reply queue, push four, mails two.
    { hands: 3, tasks: telegramTasks(ctx) },
    { hands: 4, tasks: { 'send-push': (payload) => sendPush(ctx, payload) } },
    // Mails stay queued if the templates are not built.
    ...(mails === undefined
      ? []
      : [
          {
            hands: 2,
            tasks: {
              'send-mail': (payload: unknown) => sendMail(ctx, { ...mails, sent: () => endMailDown(ctx) }, payload),
            },
          },
        ]),
  ]
}
