import { z } from 'zod'
import { readFlag } from '#server/adapters/shared/parameters/read-flag.ts'
import type { Given } from './call.ts'

const MAX_PAGE = 100
const MAX_OFFSET = 10_000

const DEFAULT_PAGE = MAX_PAGE

/** An invalid page is read as the first page, because reading is harmless. */
const paging = z.object({
  limit: z.coerce.number().int().min(1).catch(DEFAULT_PAGE),
  offset: z.coerce.number().int().min(0).max(MAX_OFFSET).catch(0),
  reverse: z.string().catch('false'),
})

/** The highest number of orders that a reply states. Further orders are not counted. */
export const MAX_COUNTED = MAX_OFFSET + MAX_PAGE

/** Reads which page of a list is wanted. The parameter `reverse` asks for newest first; 5sim sorts by id only. */
export function pageOf(given: Given): { limit: number; offset: number; newestFirst: boolean } {
  const { limit, offset, reverse } = paging.parse(given)
  return { limit: Math.min(limit, MAX_PAGE), offset, newestFirst: readFlag(reverse) }
}
