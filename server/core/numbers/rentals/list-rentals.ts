import type { ActiveRentNumbers } from '#contract/rental.ts'
import { listNumbers, type NumbersFilter } from '#server/core/numbers/listing/list-numbers.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { listRentals } from './queries/read.ts'
import { toRentalRecords } from './record.ts'

export async function listRentNumbers(
  ctx: Context,
  caller: MemberCaller,
  filter: NumbersFilter & { ended?: '1' | undefined },
): Promise<ActiveRentNumbers> {
  return listNumbers(ctx, caller, filter, {
    list: (page) => listRentals(ctx.db, { ...page, list: filter.ended === '1' ? 'ended' : filter.sort }),
    toRecords: toRentalRecords,
  })
}
