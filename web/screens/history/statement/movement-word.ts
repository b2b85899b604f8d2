import type { MovementItem } from '#contract/past/history.ts'

/**
 * A statement is read long after: a price that was set aside is a purchase there, and what was not used came back. A line
 * says while it is only set aside.
 */
export function movementWord(kind: MovementItem['kind'], subject: MovementItem['subject'] = null) {
  return kind === 'hold' && subject?.money !== 'held' ? 'purchase' : kind
}
