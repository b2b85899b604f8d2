import type { ActiveRentNumbers } from '#contract/rental.ts'
import type { Context } from '#server/context.ts'
import type { MemberCaller } from '#server/http/caller.ts'
import { listNumbers, type NumbersFilter } from '#server/numbers/listing/list-numbers.ts'
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
