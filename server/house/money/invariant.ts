import type { Checkpoint } from './checkpoints.ts'

/** `problems` is SQL that returns a row `problem` for each violation, with amounts in micros. */
export type Invariant = {
  name: string
  counted: string
  problems: string
  /** SQL that returns one row `holds`. These cheap sums replace `problems` if they prove the invariant. */
  proof?: string
  /**
   * Replaces `problems` in a check that continues from a checkpoint. Null means that other invariants imply this one.
   */
  since?: ((checkpoint: Checkpoint) => string) | null
}
