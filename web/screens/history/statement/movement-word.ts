import type { MovementItem } from '#contract/past/history.ts'

/**
 * Returns the word for a movement in a statement, which is read long after. A settled hold counts as a purchase there;
 * a line says "set aside" only while the money is still held.
 */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
