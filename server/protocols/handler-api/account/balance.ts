import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import { unauthenticated } from '#server/errors.ts'
import { findAccount } from '#server/money/accounts.ts'
import { keyAction } from '../action.ts'
import { text } from '../answer.ts'

/** Without held money. */
export const getBalance = keyAction({
  scope: 'read',
  parameters: z.object({}),
  async handle(ctx, member) {
    const account = await findAccount(ctx.db, member.userId)
    if (account === null) throw unauthenticated()
    return text(`ACCESS_BALANCE:${toDecimal(account.availableMicros)}`)
  },
})
