import { type Api, CallError, type CallKey, type Calls } from '#contract/calls/calls.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** The service's answers by call: a reply, or a function of the input that may throw or hang. */
export type Answers = {
  [Key in CallKey]?:
    | Calls[Key]['reply']
    | ((input: Calls[Key]['input']) => Calls[Key]['reply'] | Promise<Calls[Key]['reply']>)
}

export type SentCall = { key: CallKey; input: unknown; idempotencyKey: string | undefined }

/** Returns a fake API that answers only the calls in `answers`, and a list of the input that it was sent. */
export function fakeApi(answers: Answers): { api: Api; sent: SentCall[] } {
  const sent: SentCall[] = []
  const api: Api = async (key, input, options = {}) => {
    sent.push({ key, input, idempotencyKey: options.idempotencyKey })
    const answer = answers[key] as unknown
    if (answer === undefined) throw new Error(`no call expected: ${key} ${JSON.stringify(input)}`)
    return (typeof answer === 'function' ? await answer(input) : answer) as Calls[typeof key]['reply']
  }
  return { api, sent }
}

/** Returns the error of an API call that was refused or got no answer. `errors` holds messages by field. */
export function refusal(
  httpStatus: number,
  code: ErrorCode | 'NO_REPLY',
  told: { message?: string; errors?: Record<string, string[]>; data?: Record<string, unknown> } = {},
): CallError {
  const { message = code, errors = {}, data = {} } = told
  return new CallError({ httpStatus, code, message, errors, data })
}
