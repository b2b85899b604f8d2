import type { ActiveNumbers } from '#contract/activation.ts'
import { listNumbers, type NumbersFilter } from '#server/core/numbers/listing/list-numbers.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { listActive } from './queries/read.ts'
import { toRecords } from './record.ts'

export async function listActiveNumbers(
  ctx: Context,
  caller: MemberCaller,
  filter: NumbersFilter,
): Promise<ActiveNumbers> {
  return listNumbers(ctx, caller, filter, {
    list: (page) => listActive(ctx.db, { ...page, sort: filter.sort }),
    toRecords,
  })
}
