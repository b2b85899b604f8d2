import { z } from 'zod'

/** The name that the buyer gave an order, 1 to 100 printable characters. */
export const orderId = z.string().regex(/^\P{C}{1,100}$/u)

const PREFIX = 'order:'

export function orderKey(name: string): string {
  return `${PREFIX}${name}`
}

/** Returns the buyer's name of an order from its idempotency key, or null if the order has no name. */
export function orderNameOf(key: string | null): string | null {
  return key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null
}
