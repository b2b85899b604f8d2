import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '#contract/calls/calls.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import type { LiveStore } from '#web/house/stores/live-store.ts'
import { applyEventToCache } from '#web/live/apply-to-cache.ts'
import type { NumberRecord, NumbersPage } from '#web/live/numbers-cache.ts'
import type { NumberKind } from './number-kind.ts'

/** More at once would exceed the caller's rate limit after a night with many numbers. */
const MOST_AT_ONCE = 4

type Pages<Item extends NumberRecord> = { shown: NumbersPage<Item>; fresh: NumbersPage<Item> }

/** Announces messages of missed live events, and updates ended numbers that left the list. Rejects if a reply is missing. */
export async function followChanges<Item extends NumberRecord>(
  app: { api: Api; live: LiveStore; queryClient: QueryClient },
  kind: NumberKind<Item>,
  pages: Pages<Item>,
): Promise<void> {
  for (const event of newCodes(kind, pages)) {
    applyEventToCache(app.queryClient, event)
    app.live.emit(event)
  }
  const gone = goneIds(pages)
  for (let from = 0; from < gone.length; from += MOST_AT_ONCE) {
    const asked = gone.slice(from, from + MOST_AT_ONCE).map((id) => kind.loadOne(app.api, id))
    for (const { data } of await Promise.all(asked)) if (data.final) kind.apply(app.queryClient, data)
  }
}

function newCodes<Item extends NumberRecord>(kind: NumberKind<Item>, { shown, fresh }: Pages<Item>): LiveEvent[] {
  const known = new Map(shown.numbers.data.map((record) => [record.id, record.messages]))
  return fresh.numbers.data.flatMap((record) => {
    const message = record.messages[0]
    const earlier = known.get(record.id)
    if (
      message === undefined ||
      message.withheld ||
      earlier === undefined ||
      earlier.some(({ id }) => id === message.id)
    )
      return []
    return [kind.newCode(record, message)]
  })
}

function goneIds<Item extends NumberRecord>({ shown, fresh }: Pages<Item>): number[] {
  const there = new Set(fresh.numbers.data.map(({ id }) => id))
  return shown.numbers.data.filter(({ id, final }) => !final && !there.has(id)).map(({ id }) => id)
}
