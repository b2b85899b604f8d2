import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'

export const ROW_HEIGHT_PX = 48
/** The number of rows rendered above and below the visible rows, so that fast scrolling shows no gap. */
const OVERSCAN_ROWS = 6
/** A pause of typing that is shorter than this still counts as typing. */
const REST_MS = 300

/** A window of rows, from index `start` to before index `end`. `end` may exceed the length of the list. */
export type RowWindow = { start: number; end: number }

export function rowsInView(view: { scrollTop: number; height: number; count: number }): RowWindow {
  const firstSeen = Math.floor(view.scrollTop / ROW_HEIGHT_PX)
  const afterSeen = Math.ceil((view.scrollTop + view.height) / ROW_HEIGHT_PX)
  const end = Math.max(0, Math.min(view.count, afterSeen + OVERSCAN_ROWS))
  return { start: Math.max(0, Math.min(firstSeen - OVERSCAN_ROWS, end)), end }
}

export function scrollTopFor(index: number, view: { scrollTop: number; height: number }): number {
  const top = index * ROW_HEIGHT_PX
  return Math.max(top + ROW_HEIGHT_PX - view.height, Math.min(top, view.scrollTop))
}

/** Returns the list rows to render and a scroll handler. A change of `contents` resets to the first rows. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, contents }: { count: number; contents: string },
): [RowWindow, () => void] {
  const [rows, setRows] = useState<RowWindow>({ start: 0, end: CLIENT_PAGE_SIZE })
  const [fitting, setFitting] = useState(CLIENT_PAGE_SIZE)
  const [drawn, setDrawn] = useState(contents)
  if (drawn !== contents) {
    setDrawn(contents)
    // Only visible rows are rendered first, so that each keystroke renders within a frame. Other rows follow later.
    setRows({ start: 0, end: fitting })
  }

  function follow(): void {
    const element = scroller.current
    // The rows of a hidden list, which has no height, stay rendered.
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
    // Reading scrollTop forces layout here, in React's task between frames. The next frame then only has to paint.
    const element = scroller.current
    if (element !== null && element.scrollTop !== 0) element.scrollTop = 0
  })
  // The layout effect keeps the new contents from being painted at the old scroll position.
  useLayoutEffect(() => returnToBeginning(contents), [contents])
  // The effect runs for new or longer contents, which cause no scroll event.
  const onRest = useEffectEvent((_listed: { count: number; contents: string }) => {
    const timer = setTimeout(onChange, REST_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => onRest({ count, contents }), [count, contents])
  return [rows, follow]
}
