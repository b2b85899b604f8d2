import type { NamedValues } from '#server/db/named-values.ts'

/** Orders that wait for an outcome, made until `before`, oldest first, after the place `after`. */
export type OrphanQuery = { before: Date; after: { createdAt: Date; id: bigint } | null; limit: number }

/** The values of a statement that lists orphans; `afterAt` as text, because a Date cannot be before all others. */
export function orphanValues({ before, after, limit }: OrphanQuery): NamedValues {
  return { before, afterAt: after?.createdAt ?? '-infinity', afterId: after?.id ?? 0n, limit }
}
