import { CommandRefused } from '#server/cli/command.ts'
import { findPaymentSheet, type PaymentSheet } from '#server/cli/queries/payments.ts'
import type { Db } from '#server/db/pool.ts'

/** Throws CommandRefused. */
export async function requirePayment(db: Db, name: string): Promise<PaymentSheet> {
  const payment = await findPaymentSheet(db, name)
  if (payment === null) throw new CommandRefused(`There is no payment ${name}`)
  return payment
}
