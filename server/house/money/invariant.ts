import type { Checkpoint } from './checkpoints.ts'

/** A rule that the account books must obey. `problems` is SQL with a row `problem` per violation, in micros. */
export type Invariant = {
  name: string
  counted: string
  problems: string
  /** SQL that returns one row. If its column `holds` is true, cheap sums prove the rule, and `problems` is not run. */
  proof?: string
  /** Replaces `problems` after a checkpoint. Null means that other rules imply this rule. */
  since?: ((checkpoint: Checkpoint) => string) | null
}
