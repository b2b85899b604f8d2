import type { Db } from '#server/house/db/pool.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { findPaymentSheet, type PaymentSheet } from '#server/programs/cli/queries/payments.ts'

export async function requirePayment(db: Db, name: string): Promise<PaymentSheet> {
  const payment = await findPaymentSheet(db, name)
  if (payment === null) throw new CommandRefused(`There is no payment ${name}`)
  return payment
}
