import type { Checkpoint } from './checkpoints.ts'

/**
 * Something that must hold of the books, as SQL over the relations of checked-rows.ts. `counted` counts what is looked at.
 * `problems` returns one row `problem` for each violation, in words, with amounts in micros; no row when all is well.
 */
export type Invariant = {
  name: string
  counted: string
  problems: string
  /** One row `holds`, where sums prove what otherwise takes a join: only what they do not prove is looked for row by row. */
  proof?: string
  /** What is asked instead of `problems` when the check goes on from a checkpoint; null: it follows from the others. */
  since?: ((checkpoint: Checkpoint) => string) | null
}
