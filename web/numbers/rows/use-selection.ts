import { useCallback, useEffect, useRef, useState } from 'react'

export type Selection = {
  chosen: ReadonlySet<number>
  /** Selects a row, or with `isRange` all rows between it and the row that was pressed before. */
  choose: (id: number, isChosen: boolean, isRange: boolean) => void
  chooseAll: (ids: readonly number[], isChosen: boolean) => void
  clear: () => void
}

/** Selects rows by id. `order` has the ids as the list shows them, because a range follows what people see. */
export function useSelection(order: readonly number[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const shown = useRef(order)
  const last = useRef<number | null>(null)
  useEffect(() => {
    shown.current = order
  }, [order])
  const chooseAll = useCallback((ids: readonly number[], isChosen: boolean) => {
    setChosen((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  }, [])
  const choose = useCallback(
    (id: number, isChosen: boolean, isRange: boolean) => {
      chooseAll(isRange ? between(shown.current, last.current, id) : [id], isChosen)
      last.current = id
    },
    [chooseAll],
  )
  const clear = useCallback(() => setChosen(new Set()), [])
  return { chosen, choose, chooseAll, clear }
}

function between(order: readonly number[], from: number | null, to: number): readonly number[] {
  const [start, end] = [from === null ? -1 : order.indexOf(from), order.indexOf(to)]
  if (start < 0 || end < 0) return [to]
  return order.slice(Math.min(start, end), Math.max(start, end) + 1)
}
