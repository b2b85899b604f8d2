/** One attempt to buy an order at its supplier. */
export type OrderReference = { kind: 'activation' | 'rental'; id: bigint; attempt: number }

const PATTERN = /^(r?)(\d{1,18})-(\d{1,6})$/

/** Our key for the attempt at its supplier: `17-2`, of a rental `r17-2`. */
export function orderReference({ kind, id, attempt }: OrderReference): string {
  return `${kind === 'rental' ? 'r' : ''}${id}-${attempt}`
}

/** null: not one of ours. */
export function readOrderReference(reference: string): OrderReference | null {
  const [, rental, id, attempt] = PATTERN.exec(reference) ?? []
  if (id === undefined) return null
  return { kind: rental === 'r' ? 'rental' : 'activation', id: BigInt(id), attempt: Number(attempt) }
}
