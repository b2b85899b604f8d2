import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'

export const ROW_HEIGHT_PX = 56
/** Rows kept in the document above and below what is seen, so that a quick scroll shows no gap. */
const OVERSCAN_ROWS = 6

/** The rows of a list with equal rows that have to be in the document: from `start`, before `end`. */
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
 * it follows the scroll and the size of the list. Call the returned function on each scroll.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number): [RowWindow, () => void] {
  const [rows, setRows] = useState<RowWindow>({ start: 0, end: CLIENT_PAGE_SIZE })

  function follow(): void {
    const element = scroller.current
    if (element === null) return
    const next = rowsInView({ scrollTop: element.scrollTop, height: element.clientHeight, count })
    setRows((before) => (before.start === next.start && before.end === next.end ? before : next))
  }
  const onChange = useEffectEvent(follow)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => onChange())
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  // Rows were appended while nothing scrolls.
  useEffect(() => (count > 0 ? onChange() : undefined), [count])
  return [{ start: Math.min(rows.start, count), end: Math.min(rows.end, count) }, follow]
}
