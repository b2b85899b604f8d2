import { type Api, CallError } from '#contract/calls/calls.ts'
import { SECOND } from '#contract/time.ts'
import { newId } from '#web/house/new-id.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from '#web/numbers/list/number-kind.ts'
import { pause } from '#web/session/retry.ts'

/** More at once would exceed the caller's rate limit when the replies are fast. */
const MOST_AT_ONCE = 4
const BUSY_PAUSE_MS = SECOND
/** After this number of refusals by a rate limit, a call counts as failed. */
const MOST_PAUSES = 20

export type CancelEnd<Item extends NumberRecord> =
  | { kind: 'cancelled' | 'came'; record: Item }
  | { kind: 'failed'; record: Item; error: unknown }

type Cancelling<Item extends NumberRecord> = {
  api: Api
  kind: NumberKind<Item>
  records: readonly Item[]
  /** Called as soon as the outcome of a number is known. */
  onEnd: (end: CancelEnd<Item>) => void
}

/** Cancels each number by a call of its own, a few at once. It does not reject. */
export async function cancelEach<Item extends NumberRecord>(cancelling: Cancelling<Item>): Promise<void> {
  const waiting = [...cancelling.records]
  const work = async (): Promise<void> => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
      cancelling.onEnd(await cancelOne(cancelling, record))
    }
  }
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work))
}

async function cancelOne<Item extends NumberRecord>(
  { api, kind }: Cancelling<Item>,
  record: Item,
): Promise<CancelEnd<Item>> {
  const key = newId()
  for (let pauses = 0; ; pauses += 1) {
    try {
      return { kind: 'cancelled', record: (await kind.cancel(api, record.id, key)).data }
    } catch (error) {
      if (!isBusy(error) || pauses === MOST_PAUSES) return outcomeOf(record, await reloaded(api, kind, record), error)
      await pause(BUSY_PAUSE_MS, undefined)
    }
  }
}

/** The server decides between an end and a code that arrives meanwhile, so the record tells the outcome. */
function outcomeOf<Item extends NumberRecord>(before: Item, record: Item, error: unknown): CancelEnd<Item> {
  if (record.final && record.money === 'released') return { kind: 'cancelled', record }
  if (record.code !== null || record.messages.length > before.messages.length) return { kind: 'came', record }
  return { kind: 'failed', record, error }
}

async function reloaded<Item extends NumberRecord>(api: Api, kind: NumberKind<Item>, record: Item): Promise<Item> {
  try {
    return (await kind.loadOne(api, record.id)).data
  } catch {
    // The refusal that led here is told. The next polling loads the record.
    return record
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof CallError && error.httpStatus === 429
}
