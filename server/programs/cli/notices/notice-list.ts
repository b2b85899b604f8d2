import type { Command } from '#server/programs/cli/command.ts'
import { NONE } from '#server/programs/cli/listing.ts'
import { listNotices, type Notice } from '#server/surfaces/site/notices/queries.ts'

export const listAllNotices: Command = {
  name: 'notice:list',
  summary: 'list the banners that are shown now or later',
  database: 'migrated',
  async run(cli) {
    const now = cli.clock.now()
    const notices = await listNotices(cli.pool, now)
    if (notices.length === 0) cli.remark(NONE)
    for (const notice of notices) {
      const { name, kind, texts, beginsAt, endsAt } = notice
      cli.tell({ name, kind, state: stateOf(notice, now), texts, from: beginsAt, until: endsAt }, describe(notice, now))
    }
    return 0
  },
}

function describe(notice: Notice, now: Date): string {
  const { name, kind, texts, beginsAt, endsAt } = notice
  const begins = beginsAt > now ? ` from ${beginsAt.toISOString()}` : ''
  const ends = endsAt === null ? '' : ` until ${endsAt.toISOString()}`
  const words = Object.entries(texts).map(([locale, text]) => `${locale} "${text}"`)
  return `${name} (${stateOf(notice, now)}, ${kind})${begins}${ends}: ${words.join('; ')}`
}

function stateOf({ beginsAt }: Notice, now: Date): 'now' | 'to come' {
  return beginsAt > now ? 'to come' : 'now'
}
