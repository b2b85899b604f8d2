import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { decideFailure } from './use-failure.ts'

const failed = (httpStatus: number, code: string, message = 'Words for the person') =>
  new CallError({ httpStatus, code, message })

test.each([
  ['a session that ended', failed(401, 'UNAUTHENTICATED'), 'nothing'],
  ['422', failed(422, 'INVALID_INPUT'), 'alert-message'],
  ['409', failed(409, 'PRICE_CHANGED'), 'alert-message'],
  ['403', failed(403, 'FORBIDDEN'), 'alert-message'],
  ['404: what is gone is not announced (P-9)', failed(404, 'NOT_FOUND'), 'nothing'],
  ['a refusal with status 200, whose words are shown already (P-9)', failed(200, 'REFUSED'), 'nothing'],
  ['a refusal with status 200 without words', failed(200, 'SERVER_ERROR', ''), 'alert-server-error'],
  ['413', failed(413, 'BODY_TOO_LARGE'), 'alert-message'],
  ['429', failed(429, 'TOO_MANY_REQUESTS'), 'alert-message'],
  ['out of numbers, which the panel shows itself', failed(409, 'NO_NUMBERS'), 'nothing'],
  ['out of money', failed(409, 'NO_BALANCE'), 'go-to-top-up'],
  ['500, whatever it says', failed(500, 'SERVER_ERROR'), 'alert-server-error'],
  ['502 of a proxy', failed(502, 'SERVER_ERROR', ''), 'alert-server-error'],
  ['no reply', failed(0, 'NO_REPLY', ''), 'alert-server-error'],
  ['announced maintenance', failed(503, 'MAINTENANCE', 'Back at noon'), 'alert-message'],
  ['503 without words', failed(503, 'SERVER_ERROR', ''), 'alert-server-error'],
  ['409 without words', failed(409, 'SERVER_ERROR', ''), 'alert-server-error'],
  ['the visitor went elsewhere', new DOMException('gone', 'AbortError'), 'nothing'],
  ['a fault of our own', new TypeError('x is undefined'), 'alert-server-error'],
])('%s', (_, error, decision) => {
  expect(decideFailure(error, true)).toBe(decision)
})

test.each([
  ['no reply', failed(0, 'NO_REPLY', ''), 'alert-offline'],
  ['code that could not be fetched', new TypeError('Failed to fetch dynamically imported module'), 'alert-offline'],
  ['500 that came before the network went', failed(500, 'SERVER_ERROR'), 'alert-server-error'],
  ['a refusal that came before the network went', failed(409, 'PRICE_CHANGED'), 'alert-message'],
  ['the visitor went elsewhere', new DOMException('gone', 'AbortError'), 'nothing'],
])('E-5: without a network, %s', (_, error, decision) => {
  expect(decideFailure(error, false)).toBe(decision)
})
