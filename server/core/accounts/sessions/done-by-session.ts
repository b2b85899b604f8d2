import type { Context } from '#server/house/context.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { requireSession, type SignedIn } from './require-session.ts'

/**
 * Returns a route handler that calls `verb`, an account change, and adds the caller's IP address to the input. The
 * handler refuses API keys.
 */
export function doneBySession<Input extends object>(
  verb: (ctx: Context, signedIn: SignedIn, input: NoInfer<Input> & { address: string }) => Promise<unknown>,
) {
  return acknowledge((ctx, caller: MemberCaller, input: Input) =>
    verb(ctx, requireSession(caller), { ...input, address: caller.address }),
  )
}
