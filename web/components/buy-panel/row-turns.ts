import { useEffect, useState } from 'react'

/** More, and a slow machine has no time left in the frame for a letter that is typed meanwhile. */
const ROWS_A_FRAME = 1

/** What is listed, and what stands at its places: the items before place `ready`, and from there on what was there `before`. */
export type Turn<Item> = { contents: string; items: readonly Item[]; before: readonly Item[]; ready: number }

/** A list all of whose places show their items. */
export function wholeTurn<Item>(contents: string, items: readonly Item[]): Turn<Item> {
  return { contents, items, before: [], ready: Number.POSITIVE_INFINITY }
}

/** What stands at a place; nothing where nothing stood before and it is not its turn yet. */
export function itemAtTurn<Item>({ items, before, ready }: Turn<Item>, place: number): Item | undefined {
  if (place >= items.length) return undefined
  return place < ready ? items[place] : before[place]
}

/** The turn after `last`: other contents begin at the first place, and keep what stood at the others before `end`. */
export function turnTo<Item>(
  last: Turn<Item>,
  { contents, items, end }: { contents: string; items: readonly Item[]; end: number },
): Turn<Item> {
  if (last.contents === contents) return last.items === items ? last : { ...last, items }
  const before: Item[] = []
  for (let place = 0; place < end; place += 1) {
    const item = itemAtTurn(last, place)
    if (item === undefined) break
    before.push(item)
  }
  return nextTurn({ contents, items, before, ready: 0 })
}

/** A frame later. */
export function nextTurn<Item>(turn: Turn<Item>): Turn<Item> {
  return { ...turn, ready: turn.ready + ROWS_A_FRAME }
}

/**
 * When the contents of a list change, its places follow by turns: with each frame one more shows its new item, and the
 * rest what they showed until then. So no frame draws all of them, and what is typed meanwhile is seen at once. `end` is
 * where the visible places end. Returns what stands at a place, and what to call when all have to be there now.
 */
export function useTurns<Item>(
  items: readonly Item[],
  { contents, end }: { contents: string; end: number },
): [itemAt: (place: number) => Item | undefined, hurry: () => void] {
  const [last, setTurn] = useState(() => wholeTurn(contents, items))
  const turn = turnTo(last, { contents, items, end })
  if (turn !== last) setTurn(turn)
  useEffect(() => {
    if (turn.ready >= end) return
    const frame = requestAnimationFrame(() => setTurn(nextTurn))
    return () => cancelAnimationFrame(frame)
  }, [turn.ready, end])
  const hurry = () =>
    setTurn((now) => (now.ready < Number.POSITIVE_INFINITY ? wholeTurn(now.contents, now.items) : now))
  return [(place) => itemAtTurn(turn, place), hurry]
}
