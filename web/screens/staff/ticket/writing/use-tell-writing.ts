import { useRef } from 'react'
import { SECOND } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'

const PAUSE_MS = 4 * SECOND

/** Returns a function that tells colleagues, at intervals, that this person writes. A failure is harmless. */
export function useTellWriting(id: number): () => void {
  const api = useApi()
  const toldAt = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    const now = performance.now()
    if (now - toldAt.current < PAUSE_MS) return
    toldAt.current = now
    inBackground(api('POST /api/v1/staff/tickets/{id}/writing', { id }).catch(() => undefined))
  }
}
