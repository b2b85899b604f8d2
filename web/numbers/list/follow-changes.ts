import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '#contract/calls/calls.ts'
import type { LiveEvent } from '#web/live/apply-event.ts'
import { applyEventToCache } from '#web/live/apply-to-cache.ts'
import type { LiveStore } from '#web/live/live-store.ts'
import type { NumberRecord, NumbersPage } from '#web/live/numbers-cache.ts'
import type { NumberKind } from './number-kind.ts'

type Pages<Item extends NumberRecord> = { shown: NumbersPage<Item>; fresh: NumbersPage<Item> }

/**
 * What a fresh page of the list tells beyond itself, for the times when no live event did: a message that is new is
 * announced like one that came live, and a number that is gone is asked for, so that its end can be shown.
 */
export async function followChanges<Item extends NumberRecord>(
  app: { api: Api; live: LiveStore; queryClient: QueryClient },
  kind: NumberKind<Item>,
  pages: Pages<Item>,
): Promise<void> {
  for (const event of newCodes(kind, pages)) {
    applyEventToCache(app.queryClient, event)
    app.live.emit(event)
  }
  const replies = await Promise.all(goneIds(pages).map((id) => kind.loadOne(app.api, id)))
  for (const { data } of replies) if (data.final) kind.apply(app.queryClient, data)
}

/** The newest message of each number that has more messages than were shown. */
function newCodes<Item extends NumberRecord>(kind: NumberKind<Item>, { shown, fresh }: Pages<Item>): LiveEvent[] {
  const known = new Map(shown.numbers.data.map((record) => [record.id, record.messages]))
  return fresh.numbers.data.flatMap((record) => {
    const message = record.messages[0]
    const earlier = known.get(record.id)
    if (message === undefined || earlier === undefined || earlier.some(({ id }) => id === message.id)) return []
    return [kind.newCode(record, message)]
  })
}

/** The numbers that were shown, had not ended, and are not in the fresh page. */
function goneIds<Item extends NumberRecord>({ shown, fresh }: Pages<Item>): number[] {
  const there = new Set(fresh.numbers.data.map(({ id }) => id))
  return shown.numbers.data.filter(({ id, final }) => !final && !there.has(id)).map(({ id }) => id)
}
