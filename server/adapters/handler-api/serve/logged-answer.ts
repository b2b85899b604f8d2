import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import type { Context } from '#server/house/context.ts'
import { shownToOwner } from '#server/house/errors/buying-errors.ts'
import { AppError } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { Answer } from './answer.ts'
import { toRefusal } from './refusals.ts'

/** Matches the status at the start of a reply. The code or text after a colon must not be logged. */
const WORD = /^[A-Z][A-Z_]{1,40}(?=$|:)/

type Noted = { member: Member; call: string; address: string }

/** Runs a call and records its result in the API key's call log, which the key's owner can read. */
export async function loggedAnswer(ctx: Context, noted: Noted, run: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await run()
    note(ctx, noted, wordOf(answer))
    return answer
  } catch (error) {
    note(ctx, noted, shownToOwner(error) ?? wordOfFailure(error))
    throw error
  }
}

function wordOfFailure(error: unknown): string {
  return error instanceof AppError ? toRefusal(error).refusal.word : 'ERROR_SQL'
}

export function wordOf(answer: Answer): string {
  if (answer.kind === 'refusal') return answer.word
  return answer.kind === 'text' ? (WORD.exec(answer.text)?.[0] ?? 'OK') : 'OK'
}

function note(ctx: Context, { member, call, address }: Noted, result: string): void {
  if (member.key === null) return
  keyCallLogOf(ctx).note(member.key.id, { call, result, address, now: ctx.clock.now() })
}
