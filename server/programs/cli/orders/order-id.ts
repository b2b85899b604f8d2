import type { Order } from '#server/core/numbers/listing/queries/happenings.ts'
import { WrongUsage } from '#server/programs/cli/command.ts'

/** Parses `100000001` as an activation and `rental:500000001` as a rental. */
export function readOrderId(text: string): Order {
  const [, rental, id] = /^(rental:)?(?:activation:)?(\d{1,18})$/.exec(text) ?? []
  if (id === undefined) throw new WrongUsage('ORDER is the number of an activation or rental:ID')
  return { kind: rental === undefined ? 'activation' : 'rental', id: BigInt(id) }
}
