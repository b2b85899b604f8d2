import { useLayoutEffect, useState } from 'react'

/**
 * What is listed, and what stands at its places: the items before place `ready`; from there on what was there `before`, of
 * which the first `seen` were seen.
 */
export type Turn<Item> = {
  contents: string
  items: readonly Item[]
  before: readonly Item[]
  seen: number
  ready: number
}

/** A list all of whose places show their items. */
export function wholeTurn<Item>(contents: string, items: readonly Item[]): Turn<Item> {
  return { contents, items, before: [], seen: 0, ready: Number.POSITIVE_INFINITY }
}

/** How many places are seen: none behind the end of the list, and none where nothing was seen before its turn. */
export function countSeen<Item>({ items, seen, ready }: Turn<Item>): number {
  return Math.min(items.length, Math.max(ready, seen))
}

/** What stands at a place; also where it is not seen, since a row that is kept is sooner shown again than made. */
export function itemAtTurn<Item>({ items, before, ready }: Turn<Item>, place: number): Item | undefined {
  return (place < ready ? items[place] : undefined) ?? before[place]
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
  return nextTurn({ contents, items, before, seen: countSeen(last), ready: 0 })
}

/** One row more: with two, a slow machine has no time left in the frame for a letter that is typed meanwhile. */
export function nextTurn<Item>(turn: Turn<Item>): Turn<Item> {
  return { ...turn, ready: nextChange(turn, nextChange(turn, turn.ready) + 1) }
}

/** The first place from `place` on where something else will be seen: what stays the same takes no turn. */
function nextChange<Item>({ items, before, seen }: Turn<Item>, place: number): number {
  let next = place
  while (next < Math.min(seen, before.length) && items[next] === before[next]) next += 1
  return next
}

/**
 * When the contents of a list change, its places follow by turns: with each frame one more shows its new item, and the
 * rest what they showed until then. So no frame draws all of them, and what is typed meanwhile is seen at once. `end` is
 * where the visible places end. Returns what stands at a place, how many places are seen, and what to call when all have
 * to be there now.
 */
export function useTurns<Item>(
  items: readonly Item[],
  { contents, end }: { contents: string; end: number },
): { itemAt: (place: number) => Item | undefined; seen: number; hurry: () => void } {
  const [last, setTurn] = useState(() => wholeTurn(contents, items))
  const turn = turnTo(last, { contents, items, end })
  if (turn !== last) setTurn(turn)
  const { ready } = turn
  const places = Math.min(end, items.length)
  // Asked for before the frame that shows this turn, so that the next one follows it at once.
  useLayoutEffect(() => {
    if (ready >= places) return
    const frame = requestAnimationFrame(() => setTurn(nextTurn))
    return () => cancelAnimationFrame(frame)
  }, [ready, places])
  const hurry = () =>
    setTurn((now) => (now.ready < Number.POSITIVE_INFINITY ? wholeTurn(now.contents, now.items) : now))
  return { itemAt: (place) => itemAtTurn(turn, place), seen: countSeen(turn), hurry }
}
