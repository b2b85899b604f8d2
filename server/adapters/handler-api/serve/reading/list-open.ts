import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { listActive } from '#server/core/numbers/activations/queries/read.ts'
import { listMessages } from '#server/core/numbers/listing/queries/messages.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { MESSAGES_READ } from './current-message.ts'

const MAX_START = 1_000_000

/** Reads the start of a page. An invalid start is read as 0, because reading is harmless. */
export const pageStart = z.coerce.number().int().min(0).max(MAX_START).catch(0)
export const openPage = z.object({
  start: pageStart,
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(MAX_PAGE_SIZE),
})

export async function listOpen(ctx: Context, { userId }: Member, { start, limit }: z.output<typeof openPage>) {
  const { rows } = await listActive(ctx.db, {
    userId,
    search: null,
    serviceCodes: null,
    countryIds: null,
    sort: 'newest',
    limit,
    offset: start,
  })
  const found = await listMessages(ctx.db, 'activation', { numbers: rows, perNumber: MESSAGES_READ })
  return rows.map((row) => ({ row, messages: found.get(row.id) ?? [] }))
}
