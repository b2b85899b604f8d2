import { type Api, CallError } from '#contract/calls/calls.ts'
import type { Context } from '#server/context.ts'
import { type Call, runCall } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { toAppError, toReply } from '#server/http/error-reply.ts'

/**
 * The calls of the site as the page renderer uses them: the same definitions, checks and verbs as over HTTP, without
 * the wire. Failures come as the CallError a browser would see.
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
  // Each call's own `handle` is typed by its key (defineCall), which the map cannot carry.
  return api as Api
}
