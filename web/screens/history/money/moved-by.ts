import type { StepKind } from '#contract/past/entries.ts'

/** Returns who made a movement that belongs to no purchase and no payment. */
export function movedBy(kind: StepKind | undefined): 'byStaff' | 'bySelf' | 'byProgramme' {
  switch (kind) {
    case 'credit':
    case 'debit':
      return 'byStaff'
    case 'repayment':
      return 'bySelf'
    default:
      return 'byProgramme'
  }
}
