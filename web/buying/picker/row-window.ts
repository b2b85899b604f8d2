import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'

export const ROW_HEIGHT_PX = 56
/** Rows kept in the document above and below what is seen, so that a quick scroll shows no gap. */
const OVERSCAN_ROWS = 6
/** Nobody who types has stopped for less. */
const REST_MS = 300

/** Places of a list with equal rows: from `start`, before `end`. Where the list is shorter, its own end comes sooner. */
export type RowWindow = { start: number; end: number }

/** Which of `count` rows are seen at `scrollTop` in `height` pixels, and a few around them. */
export function rowsInView(view: { scrollTop: number; height: number; count: number }): RowWindow {
  const firstSeen = Math.floor(view.scrollTop / ROW_HEIGHT_PX)
  const afterSeen = Math.ceil((view.scrollTop + view.height) / ROW_HEIGHT_PX)
  const end = Math.max(0, Math.min(view.count, afterSeen + OVERSCAN_ROWS))
  return { start: Math.max(0, Math.min(firstSeen - OVERSCAN_ROWS, end)), end }
}

/** Where to scroll so that a row is wholly seen; the place itself when it is. */
export function scrollTopFor(index: number, view: { scrollTop: number; height: number }): number {
  const top = index * ROW_HEIGHT_PX
  return Math.max(top + ROW_HEIGHT_PX - view.height, Math.min(top, view.scrollTop))
}

/**
 * The window of a scrolling list. The server and the first rendering in the browser draw the whole first page; after that
 * it follows the scroll and the size of the list. `contents` names what is listed: when it changes, the list is at its
 * beginning again. Call the returned function on each scroll.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, contents }: { count: number; contents: string },
): [RowWindow, () => void] {
  const [rows, setRows] = useState<RowWindow>({ start: 0, end: CLIENT_PAGE_SIZE })
  const [fitting, setFitting] = useState(CLIENT_PAGE_SIZE)
  const [drawn, setDrawn] = useState(contents)
  if (drawn !== contents) {
    setDrawn(contents)
    // Only what is seen, so that each key that is typed is answered within a frame; the rest follows when typing rests.
    setRows({ start: 0, end: fitting })
  }

  function follow(): void {
    const element = scroller.current
    // A list that is hidden has no height: it keeps its rows.
    if (element === null || element.clientHeight === 0) return
    const next = rowsInView({ scrollTop: element.scrollTop, height: element.clientHeight, count })
    setRows((before) => (before.start === next.start && before.end === next.end ? before : next))
    setFitting(Math.ceil(element.clientHeight / ROW_HEIGHT_PX))
  }
  const onChange = useEffectEvent(follow)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => onChange())
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  const returnToBeginning = useEffectEvent((_contents: string) => {
    // To be asked where it is the list has to be laid out. React draws it in a task between two frames, while somebody
    // types; laid out in that task as well, it has only to be painted in the next frame.
    const element = scroller.current
    if (element !== null && element.scrollTop !== 0) element.scrollTop = 0
  })
  // Before the other contents are painted: a list at its beginning must not be seen scrolled.
  useLayoutEffect(() => returnToBeginning(contents), [contents])
  // Other contents, or more of them, while nothing scrolls.
  const onRest = useEffectEvent((_listed: { count: number; contents: string }) => {
    const timer = setTimeout(onChange, REST_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => onRest({ count, contents }), [count, contents])
  return [rows, follow]
}
