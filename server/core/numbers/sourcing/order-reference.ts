export type OrderReference = { kind: 'activation' | 'rental'; id: bigint; attempt: number }

const PATTERN = /^(r?)(\d{1,18})-(\d{1,6})$/

/** Formats our reference for a supplier: order and attempt to buy, `17-2`, or `r17-2` for a rental. */
export function orderReference({ kind, id, attempt }: OrderReference): string {
  return `${kind === 'rental' ? 'r' : ''}${id}-${attempt}`
}

/** SQL for the reference of an activation's first attempt. */
export function orderReferenceSql(id: string): string {
  return `${id}::text || '-1'`
}

/** Parses a reference that we sent to a supplier. Returns null for a reference of another format. */
export function readOrderReference(reference: string): OrderReference | null {
  const [, rental, id, attempt] = PATTERN.exec(reference) ?? []
  if (id === undefined) return null
  return { kind: rental === 'r' ? 'rental' : 'activation', id: BigInt(id), attempt: Number(attempt) }
}
