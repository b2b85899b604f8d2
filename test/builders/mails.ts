import { type QueuedMail, readQueuedMail } from '#server/house/mail/send-mail.ts'
import type { TestApp } from '#test/harness/harness.ts'

/** Returns all committed mails, oldest first, including those that `t.runJobs()` has sent already. */
export async function sentMails(t: TestApp): Promise<Omit<QueuedMail, 'queuedAt'>[]> {
  const { rows } = await t.ctx.db.query<{ payload: object }>({
    text: `SELECT jobs.payload FROM graphile_worker._private_jobs jobs
      JOIN graphile_worker._private_tasks tasks ON tasks.id = jobs.task_id
      WHERE tasks.identifier = 'send-mail' ORDER BY jobs.id`,
  })
  const payloads = [...t.deliveredMails, ...rows.map((row) => row.payload)]
  return payloads.map((payload) => {
    const { to, locale, mail } = readQueuedMail(t.ctx, payload)
    return { to, locale, mail }
  })
}
