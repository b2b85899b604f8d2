import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type TicketRefundRow = {
  at: Date
  amount_micros: bigint
  currency: Currency
  service_code: string
  country_id: number
  phone: string | null
}

/** Lists the newest `limit` refunds since the ticket was opened, made in it or for its purchase, oldest first. */
export async function listTicketRefunds(
  db: Db,
  input: { ticketId: bigint; activationId: bigint | null; rentalId: bigint | null; since: Date; limit: number },
): Promise<TicketRefundRow[]> {
  const { rows } = await db.query<TicketRefundRow>({
    name: 'support-ticket-refunds',
    text: `WITH here AS (SELECT activation_id, rental_id FROM support_refunds WHERE ticket_id = $ticketId),
      moved AS (
        SELECT t.at, t.amount_micros, t.currency, o.service_code, o.country_id, o.phone, o.id
        FROM activations o JOIN transfers t ON t.activation_id = o.id AND t.kind = 'refund'
        WHERE o.id IN (SELECT $activationId::bigint UNION SELECT activation_id FROM here)
        UNION ALL
        SELECT t.at, t.amount_micros, t.currency, o.service_code, o.country_id, o.phone, o.id
        FROM rentals o JOIN charges c ON c.rental_id = o.id JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
        WHERE o.id IN (SELECT $rentalId::bigint UNION SELECT rental_id FROM here)
      ), latest AS (
        SELECT at, sum(amount_micros)::bigint AS amount_micros, currency, service_code, country_id, phone FROM moved
        WHERE at >= $since GROUP BY at, currency, service_code, country_id, phone, id ORDER BY at DESC LIMIT $limit
      )
      SELECT * FROM latest ORDER BY at`,
    values: input,
  })
  return rows
}
