import type { NamedValues } from '#server/house/db/named-values.ts'

/** Selects unsettled orders of one node, oldest first, beginning behind `after`. */
export type OrphanQuery = { nodeId: bigint; before: Date; after: { createdAt: Date; id: bigint } | null; limit: number }

/** Returns the values for `orphansSql`. `afterAt` may be a text, because no Date comes before all other dates. */
export function orphanValues({ nodeId, before, after, limit }: OrphanQuery): NamedValues {
  return { nodeId, before, afterAt: after?.createdAt ?? '-infinity', afterId: after?.id ?? 0n, limit }
}
