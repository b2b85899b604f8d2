import { z } from 'zod'

/** A list in a query: `a,b,c`, or the parameter repeated. At most `max` entries. */
export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((part) => part !== '') : value),
    z.array(item).max(max).optional(),
  )
}
