import type { MovementItem } from '#contract/past/history.ts'

/** Returns the text key of a money movement. `hold` ("Put on hold") becomes `purchase` when the hold has ended. */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
