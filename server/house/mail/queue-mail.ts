import { createHash } from 'node:crypto'
import type { Locale } from '#contract/constants.ts'
import type { Mail } from '#contract/mails.ts'
import { seal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'

/** The maximum number of attempts to send a mail, which last about two and a half days. */
const MAX_ATTEMPTS = 20
/** The number of mail queues, whose jobs run one after another. The lane has as many workers (boot/tasks.ts). */
const QUEUES = 2

/** The part of a context that queueing a mail needs, because CLI commands have no full context. */
export type MailWriter = Pick<Context, 'clock' | 'random'> & { secrets: Pick<Context['secrets'], 'secretKey'> }

/** Queues a mail in its cause's transaction. The payload is encrypted, because codes and links open accounts. */
export async function queueMail(
  ctx: MailWriter,
  db: Db,
  input: { to: string; locale: Locale; mail: Mail },
): Promise<void> {
  const stored = seal({ ...input, queuedAt: ctx.clock.now().toISOString() }, ctx.secrets.secretKey, ctx.random)
  await db.query({
    name: 'mail-queue',
    text: `SELECT graphile_worker.add_job('send-mail', $1::json, queue_name := $2, max_attempts := $3)`,
    values: [JSON.stringify(stored), queueFor(input.to), MAX_ATTEMPTS],
  })
}

/** Returns the queue of a mail address, always the same, so that its mails arrive in order. */
function queueFor(address: string): string {
  const [first = 0] = createHash('sha256').update(address).digest()
  return `mail-${first % QUEUES}`
}
