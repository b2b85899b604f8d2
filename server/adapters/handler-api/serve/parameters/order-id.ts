import { z } from 'zod'

/** The buyer's own name for an order, 1 to 100 printable characters. */
export const orderId = z.string().regex(/^\P{C}{1,100}$/u)

const PREFIX = 'order:'

/** Returns the idempotency key of an order name. */
export function orderKey(name: string): string {
  return `${PREFIX}${name}`
}

/** Returns null if the order has no name. */
export function orderNameOf(key: string | null): string | null {
  return key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null
}
