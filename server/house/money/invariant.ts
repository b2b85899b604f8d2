import type { Checkpoint } from './checkpoints.ts'

/** `problems` returns one row `problem` for each violation, with amounts in micros. */
export type Invariant = {
  name: string
  counted: string
  problems: string
  /** One row `holds`: cheap sums that replace `problems` when they prove it. */
  proof?: string
  /** Replaces `problems` after a checkpoint; null: implied by other invariants. */
  since?: ((checkpoint: Checkpoint) => string) | null
}
