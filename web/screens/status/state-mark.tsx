import { CircleCheck, CircleMinus, CircleX, TriangleAlert } from 'lucide-react'
import type { StatusState } from '#contract/status/status.ts'

const MARKS = {
  unknown: CircleMinus,
  working: CircleCheck,
  slow: TriangleAlert,
  partly: TriangleAlert,
  down: CircleX,
} as const

const COLOURS = {
  unknown: 'text-muted',
  working: 'text-received',
  slow: 'text-soon',
  partly: 'text-soon',
  down: 'text-error',
} as const

/** Renders a decorative mark, because the state is always in words beside it. Its form tells the state without colour. */
export function StateMark({ state, size = 18 }: { state: StatusState; size?: number }) {
  const Mark = MARKS[state]
  return <Mark size={size} aria-hidden className={`shrink-0 ${COLOURS[state]}`} />
}
