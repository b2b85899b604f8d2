import type { MovementItem } from '#contract/past/history.ts'

/** Returns a movement's text. A hold is "set aside" only as long as the money is held, and then a purchase. */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
