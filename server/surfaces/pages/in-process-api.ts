import { type Api, CallError } from '#contract/calls/calls.ts'
import type { Context } from '#server/house/context.ts'
import { type Call, runCall } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { toAppError, toReply } from '#server/house/http/error-reply.ts'

/**
 * Lets pages call the API without HTTP, with the same checks. A failed call throws the CallError that a browser would
 * get.
 */
export function inProcessApi(ctx: Context, calls: ReadonlyMap<string, Call>, caller: Caller): Api {
  const api = async (key: string, input: object): Promise<unknown> => {
    const call = calls.get(key)
    if (call === undefined) throw new Error(`there is no call ${key}`)
    try {
      return await runCall(ctx, call, caller, input)
    } catch (error) {
      const known = toAppError(error)
      if (known.code === 'SERVER_ERROR') ctx.log.error({ error, call: key }, 'a call of a page failed')
      const { code, message, errors, data } = toReply(known, caller.locale)
      throw new CallError({
        httpStatus: known.httpStatus,
        code,
        message,
        ...(errors && { errors }),
        ...(data && { data }),
      })
    }
  }
  // The cast is safe, because each route's function has the type of its key, which the map cannot express.
  return api as Api
}
