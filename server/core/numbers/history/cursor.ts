import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'

/**
 * A position in the history: a time in microseconds since 1970, and an id. A page lists purchases older than its
 * cursor.
 */
export type PageCursor = { atMicros: bigint; id: bigint }

export const NEWEST: PageCursor = { atMicros: 9_000_000_000_000_000n, id: 9_000_000_000_000_000_000n }

const CURSOR_PATTERN = /^(\d{1,16})\.(\d{1,18})$/

export function toCursor(place: PageCursor): string {
  return `${place.atMicros}.${place.id}`
}

/** Parses the cursor of a history page. Throws INVALID_INPUT for a malformed cursor. */
export function readCursor(cursor: string | undefined): PageCursor {
  if (cursor === undefined) return NEWEST
  const [, at, id] = CURSOR_PATTERN.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw wrongCursor()
  return { atMicros: BigInt(at), id: BigInt(id) }
}

export function wrongCursor(): Error {
  return invalidInput({ cursor: [wordsOf('field.page')] })
}

/** Returns true if `a` is newer than `b`, because pages list the newest purchases first. */
export function isBefore(a: PageCursor, b: PageCursor): boolean {
  return a.atMicros > b.atMicros || (a.atMicros === b.atMicros && a.id > b.id)
}
