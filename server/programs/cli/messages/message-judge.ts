import { DAY } from '#contract/time.ts'
import { judgeAnew, standingOf, type Verdict } from '#server/core/numbers/delivery/judge-anew.ts'
import { listStanding, type StandingMessage } from '#server/core/numbers/delivery/queries/judged.ts'
import { readSenderBook } from '#server/core/numbers/messages/load-senders.ts'
import type { Command, DatabaseCli } from '#server/programs/cli/command.ts'
import { plain, readCount } from '#server/programs/cli/listing.ts'

const DEFAULT_DAYS = 7
const DEFAULT_LIMIT = 1_000
const MAX_LIMIT = 9_999
const AT_ONCE = 500

export const judgeMessages: Command = {
  name: 'message:judge',
  summary: `judge stored messages by today's rule and signs, newest first, and print where it says something else than what was decided; it changes nothing; of ${DEFAULT_DAYS} days and ${DEFAULT_LIMIT} at most, unless said otherwise`,
  options: { days: { shows: 'N' }, limit: { shows: `1-${MAX_LIMIT}` } },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readCount('limit', options.limit, { otherwise: DEFAULT_LIMIT, atMost: MAX_LIMIT })
    const days = readCount('days', options.days, { otherwise: DEFAULT_DAYS, atMost: 3_650 })
    const since = new Date(cli.clock.now().getTime() - days * DAY)
    const book = await readSenderBook(cli.pool)
    let judged = 0
    let different = 0
    for (let before: bigint | null = null; judged < limit; ) {
      const page: StandingMessage[] = await listStanding(cli.pool, {
        since,
        before,
        limit: Math.min(AT_ONCE, limit - judged),
      })
      for (const message of page) {
        const now = await judgeAnew(cli.pool, book, message)
        if (tellDifference(cli, message, now)) different += 1
      }
      judged += page.length
      before = page.at(-1)?.id ?? null
      if (before === null) break
    }
    cli.remark(`${judged} messages were judged; today's rule says something else of ${different}.`)
    return 0
  },
}

function tellDifference(cli: DatabaseCli, message: StandingMessage, now: Verdict): boolean {
  const then = standingOf(message)
  if (then.is === now.is && then.orderId === now.orderId && then.code === now.code) return false
  const { id, receivedAt: at, sender, text } = message
  const line = `${id} ${at.toISOString()} ${words(then)} -> ${words(now)} ${plain(sender)}: ${plain(text)}`
  cli.tell({ id, received_at: at, sender, text, then, now }, line)
  return true
}

function words({ is, orderId, code }: Verdict): string {
  return [is, ...(code === null ? [] : [code]), ...(orderId === null ? [] : ['of', orderId])].join(' ')
}
