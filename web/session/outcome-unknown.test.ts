import { expect, it } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { isOutcomeUnknown } from '#web/session/outcome-unknown.ts'

const failure = (httpStatus: number, code: string) => new CallError({ httpStatus, code, message: 'words' })

it.each<[string, unknown, boolean]>([
  ['no reply', failure(0, 'NO_REPLY'), true],
  ['the first sending still being served', failure(409, 'IN_PROGRESS'), true],
  ['a broken server', failure(500, 'SERVER_ERROR'), true],
  ['a database that went away at the end', failure(503, 'DATABASE_UNAVAILABLE'), true],
  ['buying stopped', failure(503, 'BUYING_STOPPED'), false],
  ['maintenance', failure(503, 'MAINTENANCE'), false],
  ['a refusal', failure(409, 'NO_NUMBERS'), false],
  ['a fault of the page', new TypeError('x'), false],
])('%s', (_name, error, expected) => {
  expect(isOutcomeUnknown(error)).toBe(expected)
})
