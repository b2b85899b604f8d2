import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import { type PickerItem, PickerRow } from './picker-row.tsx'
import { ROW_HEIGHT_PX, scrollTopFor, useRowWindow } from './row-window.ts'

/** The next 20 rows are appended if the scroll position is closer to the end than this distance. */
const NEAR_END_PX = 4 * ROW_HEIGHT_PX

type PickerRowsProps<Item extends PickerItem> = {
  items: readonly Item[]
  /** `contents` identifies the listed items. If it changes, the list scrolls back to its beginning. */
  contents: string
  selectedId: Item['id'] | null
  label: string
  from: boolean
  currency: Currency
  renderIcon: (item: Item) => ReactNode
  onPick: (item: Item, byKeyboard: boolean) => void
  onFavorite: ((item: Item) => void) | null
  onWantMore: () => void
}

/** Renders 20 rows of a list, then 20 more near the end (specification 9). Only visible rows are in the document. */
export function PickerRows<Item extends PickerItem>(props: PickerRowsProps<Item>) {
  const { items, contents, onWantMore } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [pages, setPages] = useState(1)
  const [activeIndex, setActiveIndex] = useState(0)
  const [drawn, setDrawn] = useState(contents)
  if (drawn !== contents) {
    setDrawn(contents)
    setPages(1)
    setActiveIndex(0)
  }
  const shown = Math.min(items.length, pages * CLIENT_PAGE_SIZE)
  const [rows, followScroll] = useRowWindow(scroller, { count: shown, contents })

  function onScroll(): void {
    followScroll()
    onWantMore()
    const element = scroller.current
    if (element === null) return
    // Rows are added even while the list loads. Otherwise a user at the end of the list would not see the next rows.
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    if (below < NEAR_END_PX) setPages(Math.ceil(shown / CLIENT_PAGE_SIZE) + 1)
  }

  function moveByKey(event: KeyboardEvent): void {
    const target = indexAfterKey(event.key, activeIndex, shown)
    if (target === null) return
    event.preventDefault()
    setActiveIndex(target)
    const element = scroller.current
    if (element === null) return
    flushSync(() => {
      element.scrollTop = scrollTopFor(target, { scrollTop: element.scrollTop, height: element.clientHeight })
      followScroll()
    })
    focusRow(element, target)
  }

  return (
    <div ref={scroller} className="picker-rows" onScroll={onScroll}>
      <ul aria-label={props.label} style={{ height: shown * ROW_HEIGHT_PX }} onKeyDown={moveByKey}>
        {items.slice(rows.start, Math.min(rows.end, shown)).map((item, offset) => {
          const index = rows.start + offset
          return (
            // Rows are keyed by position, because changing a row's text during typing is cheaper than making a row.
            <li key={index} data-index={index} style={{ top: index * ROW_HEIGHT_PX }}>
              <PickerRow
                item={item}
                renderIcon={props.renderIcon}
                selected={item.id === props.selectedId}
                active={index === Math.min(activeIndex, shown - 1)}
                from={props.from}
                currency={props.currency}
                onPick={props.onPick}
                onFavorite={props.onFavorite}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

export function focusRow(within: HTMLElement | null, index: number): void {
  within?.querySelector<HTMLButtonElement>(`[data-index="${index}"] button`)?.focus()
}

function indexAfterKey(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
