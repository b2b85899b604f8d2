import { expect } from 'vitest'
import type { CallKey, Calls } from '#contract/calls/calls.ts'
import { type CallOptions, type Refusal, send, toRefusal } from './calls.ts'
import type { TestApp } from './harness.ts'

export type CookieJar = {
  cookies: Map<string, string>
  send(key: string, input: object, options?: CallOptions): ReturnType<typeof send>
  call<Key extends CallKey>(key: Key, input: Calls[Key]['input'], options?: CallOptions): Promise<Calls[Key]['reply']>
  refused(key: CallKey, input: object, options?: CallOptions): Promise<Refusal>
}

export function openCookieJar(t: TestApp): CookieJar {
  const cookies = new Map<string, string>()
  const ask: CookieJar['send'] = async (key, input, options = {}) => {
    const headers = new Headers(options.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const answer = await send(t, key, input, { ...options, headers: Object.fromEntries(headers) })
    for (const line of answer.response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    send: ask,
    async call(key, input, options) {
      const { response, body } = await ask(key, input, options)
      expect({ status: response.status, body }).toEqual({ status: 200, body: expect.anything() })
      // The cast is not checked here, because `call` of calls.ts checks replies against their schemas.
      return body as Calls[typeof key]['reply']
    },
    async refused(key, input, options) {
      const { response, body } = await ask(key, input, options)
      expect(response.status, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
      return toRefusal(response, body)
    },
  }
}
