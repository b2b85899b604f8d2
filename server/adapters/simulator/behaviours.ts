import { SECOND } from '#contract/time.ts'

export type Behaviour = {
  operator: string
  /**
   * The operator's cost in per cent of the usual cost. The operator with normal messages is the cheapest, so a purchase
   * of `any` gets it.
   */
  costPercent: number
  messagesAfterMs: readonly (readonly [shortest: number, longest: number])[]
  /** The kind of text. A `notice` is a message without a code. */
  words: 'usual' | 'unicode' | 'notice'
  late?: true
  refusedAfterMs?: number
  failsEvery?: number
}

export const behaviours: readonly Behaviour[] = [
  { operator: 'swift', costPercent: 100, messagesAfterMs: [[SECOND, SECOND]], words: 'usual' },
  { operator: 'steady', costPercent: 104, messagesAfterMs: [[3 * SECOND, 8 * SECOND]], words: 'usual' },
  {
    operator: 'twice',
    costPercent: 106,
    messagesAfterMs: [
      [2 * SECOND, 2 * SECOND],
      [6 * SECOND, 6 * SECOND],
    ],
    words: 'usual',
  },
  { operator: 'unicode', costPercent: 108, messagesAfterMs: [[2 * SECOND, 3 * SECOND]], words: 'unicode' },
  { operator: 'used', costPercent: 110, messagesAfterMs: [], words: 'usual', refusedAfterMs: 5 * SECOND },
  { operator: 'late', costPercent: 112, messagesAfterMs: [[5 * SECOND, 5 * SECOND]], words: 'usual', late: true },
  { operator: 'flaky', costPercent: 114, messagesAfterMs: [[2 * SECOND, 4 * SECOND]], words: 'usual', failsEvery: 2 },
  { operator: 'silent', costPercent: 116, messagesAfterMs: [], words: 'usual' },
  { operator: 'notice', costPercent: 118, messagesAfterMs: [[3 * SECOND, 3 * SECOND]], words: 'notice' },
]

export function behaviourOf(operator: string | null): Behaviour | undefined {
  return behaviours.find((behaviour) => behaviour.operator === operator)
}
