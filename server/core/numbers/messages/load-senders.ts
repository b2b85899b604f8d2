import { listServiceRows } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { listIgnoredSenders, listSigns } from './queries.ts'
import { SenderBook, senderBookOf } from './sender-book.ts'

export async function loadSenders(ctx: Pick<Context, 'db' | 'memory'>): Promise<void> {
  await load(senderBookOf(ctx), ctx.db)
}

export async function readSenderBook(db: Db): Promise<SenderBook> {
  const senders = new SenderBook()
  await load(senders, db)
  return senders
}

async function load(senders: SenderBook, db: Db): Promise<void> {
  const signs = await listSigns(db)
  const ignored = await listIgnoredSenders(db)
  const services = await listServiceRows(db)
  senders.load({ signs, ignored, services })
}
