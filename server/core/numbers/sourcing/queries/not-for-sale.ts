import { FULL_NUMBER } from '#contract/rental.ts'
import type { Db } from '#server/house/db/pool.ts'

/**
 * Returns true if somebody holds the number or it had a code of the service. No supplier should sell such a number. A
 * number that was refused for another reason is closed by our own rule, which its supplier cannot know.
 */
export async function isNotForSale(db: Db, input: { phone: string; serviceCode: string }): Promise<boolean> {
  const { rows } = await db.query<{ not_for_sale: boolean }>({
    name: 'sourcing-not-for-sale',
    text: `SELECT EXISTS (SELECT FROM activations WHERE phone = $1 AND state IN ('waiting', 'received', 'waiting_again'))
      OR EXISTS (SELECT FROM rentals WHERE phone = $1 AND state = 'active')
      OR EXISTS (SELECT FROM activations WHERE phone = $1 AND ended_at IS NOT NULL AND first_code_at IS NOT NULL
        AND (service_code = $2 OR $2 = '${FULL_NUMBER}')) AS not_for_sale`,
    values: [input.phone, input.serviceCode],
  })
  return rows[0]?.not_for_sale ?? false
}
