import type { Checkpoint } from './checkpoints.ts'

/**
 * A rule that the account books must obey. `problems` is SQL that returns a row `problem` for each violation, with
 * amounts in micros.
 */
export type Invariant = {
  name: string
  counted: string
  problems: string
  /**
   * SQL that returns one row `holds`. If `holds` is true, these cheap sums prove the rule, and `problems` is not run.
   */
  proof?: string
  /** Replaces `problems` in a check that continues from a checkpoint. Null means that other rules imply this one. */
  since?: ((checkpoint: Checkpoint) => string) | null
}
