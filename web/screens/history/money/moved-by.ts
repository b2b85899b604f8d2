import type { StepKind } from '#contract/past/entries.ts'

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
