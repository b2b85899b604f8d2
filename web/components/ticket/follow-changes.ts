import type { QueryClient } from '@tanstack/react-query'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { Api } from '#contract/calls.ts'
import type { LiveEvent } from '../../live/apply-event.ts'
import { applyEventToCache, applyRecordToCache } from '../../live/apply-to-cache.ts'
import type { LiveStore } from '../../live/live-store.ts'

/**
 * What a fresh page of the list tells beyond itself, for the times when no live event did: a message that is new is
 * announced like one that came live, and a number that is gone is asked for, so that its end can be shown.
 */
export async function followChanges(
  frame: { api: Api; live: LiveStore; queryClient: QueryClient },
  shown: ActiveNumbers,
  fresh: ActiveNumbers,
): Promise<void> {
  for (const event of newCodes(shown, fresh)) {
    applyEventToCache(frame.queryClient, event)
    frame.live.emit(event)
  }
  const gone = goneIds(shown, fresh)
  const replies = await Promise.all(gone.map((id) => frame.api('GET /api/v1/activations/{id}', { id })))
  for (const { data } of replies) if (data.final) applyRecordToCache(frame.queryClient, data)
}

/** The newest message of each number that has more messages than were shown. */
export function newCodes(shown: ActiveNumbers, fresh: ActiveNumbers): LiveEvent[] {
  const known = new Map(shown.numbers.data.map((record) => [record.id, record.messages]))
  return fresh.numbers.data.flatMap((record: ActivationRecord) => {
    const message = record.messages[0]
    const earlier = known.get(record.id)
    if (message === undefined || earlier === undefined || earlier.some(({ id }) => id === message.id)) return []
    return [{ name: 'NewCode', payload: { kind: 'activation', record, message } }]
  })
}

/** The numbers that were shown, had not ended, and are not in the fresh page. */
export function goneIds(shown: ActiveNumbers, fresh: ActiveNumbers): number[] {
  const there = new Set(fresh.numbers.data.map(({ id }) => id))
  return shown.numbers.data.filter(({ id, final }) => !final && !there.has(id)).map(({ id }) => id)
}
