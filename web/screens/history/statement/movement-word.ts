import type { MovementItem } from '#contract/past/history.ts'

/** A statement calls a settled hold a purchase. A line says "set aside" only as long as the money is held. */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
