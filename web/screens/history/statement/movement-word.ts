import type { MovementItem } from '#contract/past/history.ts'

/** A statement is read long after: a price that was set aside is a purchase there, and what was not used came back. */
export function movementWord(kind: MovementItem['kind']) {
  return kind === 'hold' ? 'purchase' : kind
}
