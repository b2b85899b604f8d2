import { listServiceRows } from '#server/catalog/offers/queries.ts'
import type { Db } from '#server/db/pool.ts'
import { listIgnoredSenders, listSigns } from './queries.ts'
import { SenderBook } from './sender-book.ts'

export async function loadSenders(ctx: { db: Db; senders: SenderBook }): Promise<void> {
  const signs = await listSigns(ctx.db)
  const ignored = await listIgnoredSenders(ctx.db)
  const services = await listServiceRows(ctx.db)
  ctx.senders.load({ signs, ignored, services })
}

/** For commands, which have no service running. */
export async function readSenderBook(db: Db): Promise<SenderBook> {
  const senders = new SenderBook()
  await loadSenders({ db, senders })
  return senders
}
