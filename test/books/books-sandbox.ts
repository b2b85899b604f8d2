import { findShadow, insertShadow } from '#server/accounts/sandbox/queries.ts'
import { insertSandbox } from '#server/catalog/offers/sandbox-queries.ts'
import type { Db } from '#server/db/pool.ts'
import { creditPlayMoney, openSandboxAccount } from '#server/money/sandbox/play-money.ts'
import { addActivation, BOOKS_START } from './books.ts'

/** The shadow of a buyer with play money, of which it has spent, holds and had back some. Returns its id. */
export async function fillSandbox(db: Db, ownerId: number): Promise<number> {
  await insertSandbox(db, BOOKS_START)
  const { rows } = await db.query<{ id: number }>({ text: 'SELECT id FROM suppliers WHERE sandbox' })
  const supplierId = rows[0]?.id ?? 0
  const userId = (await insertShadow(db, { ownerId, now: BOOKS_START })) ?? (await findShadow(db, ownerId)) ?? 0
  await openSandboxAccount(db, { userId, like: ownerId })
  await creditPlayMoney(db, { userId, now: BOOKS_START })
  for (const [place, ending] of (['waiting', 'finished', 'cancelled'] as const).entries()) {
    const phone = `70000${String(place).padStart(6, '0')}`
    if ((await addActivation(db, { supplierId, userId, currency: 'rub', phone, ending })) === null) {
      throw new Error('the play money ran out')
    }
  }
  return userId
}
