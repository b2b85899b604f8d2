import { useCallback, useEffect, useRef, useState } from 'react'
import { useUser } from '#web/house/app-context.ts'

export type ChangeDraft<Draft> = (change: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void

/** Stores a draft until the tab closes, for privacy. `read` returns null for a stored value in another format. */
export function useDraft<Draft extends object>(
  name: string,
  initial: Draft,
  read: (kept: unknown) => Partial<Draft> | null,
): { draft: Draft; change: ChangeDraft<Draft>; clear: () => void } {
  const userId = useUser()?.id
  const key = userId === undefined ? null : `support-draft:${userId}:${name}`
  const [draft, setDraft] = useState(initial)
  const takenUp = useRef<string | null>(null)
  const reader = useRef(read)
  const first = useRef(initial)
  useEffect(() => {
    if (key === null) return
    if (takenUp.current === key) return keep(key, draft)
    takenUp.current = key
    const found = reader.current(keptIn(key))
    if (found !== null) setDraft((before) => ({ ...before, ...unlessTyped(found, { before, initial: first.current }) }))
  }, [key, draft])
  const change = useCallback<ChangeDraft<Draft>>((how) => {
    setDraft((before) => ({ ...before, ...(typeof how === 'function' ? how(before) : how) }))
  }, [])
  return { draft, change, clear: () => setDraft(initial) }
}

/** Returns the stored draft without fields that the user typed before hydration, because those are newer. */
function unlessTyped<Draft extends object>(
  found: Partial<Draft>,
  { before, initial }: { before: Draft; initial: Draft },
): Partial<Draft> {
  const taken: Partial<Draft> = {}
  for (const name of Object.keys(found) as (keyof Draft)[]) {
    if (before[name] === initial[name]) taken[name] = found[name]
  }
  return taken
}

function keptIn(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Stores the draft. If the storage is full or forbidden, the draft lives only as long as the page. */
function keep(key: string, draft: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    return
  }
}
