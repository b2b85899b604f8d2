import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { listActive } from '#server/core/numbers/activations/queries/read.ts'
import { keyAction } from '../action.ts'
import { json } from '../answer.ts'
import { unixSeconds } from '../dialects/times.ts'
import { pageStart } from './list-open.ts'

/** The Java client of SMS-Activate requests at most ten numbers. */
const DEFAULT_LENGTH = 10

/** Lists open numbers for SMS-Activate's Java client, with times in seconds. The list may be empty. */
export const getListOfActiveActivations = keyAction({
  scope: 'read',
  parameters: z.object({
    start: pageStart,
    length: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(DEFAULT_LENGTH),
  }),
  async handle(ctx, { userId }, { start, length }) {
    const { rows, total } = await listActive(ctx.db, {
      userId,
      search: null,
      serviceCodes: null,
      countryIds: null,
      sort: 'newest',
      limit: length,
      offset: start,
    })
    const data = rows.map((row) => ({
      id: Number(row.id),
      phone: Number(row.phone),
      service: row.service_code,
      country: row.country_id,
      createDate: unixSeconds(row.created_at),
      finishDate: unixSeconds(row.expires_at),
      forward: 0,
      forwardNumber: '',
    }))
    return json({ status: 'success', data, existNext: start + data.length < total, quant: total })
  },
})
