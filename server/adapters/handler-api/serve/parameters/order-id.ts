import { z } from 'zod'

/** The buyer's own name of an order, 1 to 100 printable characters. */
export const orderId = z.string().regex(/^\P{C}{1,100}$/u)

const PREFIX = 'order:'

/** Its idempotency key. */
export function orderKey(name: string): string {
  return `${PREFIX}${name}`
}

/** null: the order has no name. */
export function orderNameOf(key: string | null): string | null {
  return key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null
}
