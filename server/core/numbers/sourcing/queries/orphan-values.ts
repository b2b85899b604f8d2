import type { NamedValues } from '#server/house/db/named-values.ts'

/** Orphans are listed oldest first, starting behind `after`. */
export type OrphanQuery = { before: Date; after: { createdAt: Date; id: bigint } | null; limit: number }

/** Returns the values of `orphansSql`. `afterAt` may be text, because no Date comes before all others. */
export function orphanValues({ before, after, limit }: OrphanQuery): NamedValues {
  return { before, afterAt: after?.createdAt ?? '-infinity', afterId: after?.id ?? 0n, limit }
}
