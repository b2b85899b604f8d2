import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import type { Context } from '#server/house/context.ts'
import { shownToOwner } from '#server/house/errors/buying-errors.ts'
import { AppError } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { Answer } from './answer.ts'
import { type Refused, toRefused } from './refusals.ts'

type Noted = { member: Member; name: string; address: string }

/** Runs a call and records its result in the API key's call log, which the key's owner can read. */
export async function loggedCall(ctx: Context, which: Noted, run: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await run()
    note(ctx, which, 'refused' in answer ? wordOf(answer.refused) : 'OK')
    return answer
  } catch (error) {
    note(ctx, which, shownToOwner(error) ?? (error instanceof AppError ? wordOf(toRefused(error)) : 'internal error'))
    throw error
  }
}

const wordOf = ({ word, httpStatus }: Refused) => word ?? String(httpStatus)

function note(ctx: Context, { member, name, address }: Noted, result: string): void {
  if (member.key === null) return
  keyCallLogOf(ctx).note(member.key.id, { call: name, result, address, now: ctx.clock.now() })
}
