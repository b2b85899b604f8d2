import type { MovementItem } from '#contract/past/history.ts'

/**
 * Returns the text key of a money movement. A hold is `hold` ("set aside") as long as the money is held. Later it is
 * `purchase`.
 */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
