import { wordsOf } from '#server/error-words.ts'
import { invalidInput } from '#server/errors.ts'

/** A place in time among what was bought: the microsecond since 1970 and the id. Everything older comes after it. */
export type PageCursor = { atMicros: bigint; id: bigint }

/** Before everything. */
export const NEWEST: PageCursor = { atMicros: 9_000_000_000_000_000n, id: 9_000_000_000_000_000_000n }

const CURSOR_PATTERN = /^(\d{1,16})\.(\d{1,18})$/

export function toCursor(place: PageCursor): string {
  return `${place.atMicros}.${place.id}`
}

/** Where a page before this one ended. Throws INVALID_INPUT for a cursor that no page gave. */
export function readCursor(cursor: string | undefined): PageCursor {
  if (cursor === undefined) return NEWEST
  const [, at, id] = CURSOR_PATTERN.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw wrongCursor()
  return { atMicros: BigInt(at), id: BigInt(id) }
}

export function wrongCursor(): Error {
  return invalidInput({ cursor: [wordsOf('field.page')] })
}

/** Whether `a` comes before `b`: the newer one does. */
export function isBefore(a: PageCursor, b: PageCursor): boolean {
  return a.atMicros > b.atMicros || (a.atMicros === b.atMicros && a.id > b.id)
}
