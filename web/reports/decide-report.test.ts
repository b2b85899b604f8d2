import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { createFaults, type Fault } from '#web/house/stores/faults.ts'
import { isReported } from './error-reports.tsx'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const BOT = 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'
const refusal = (httpStatus: number) => ({ error: new CallError({ httpStatus, code: 'X', message: '' }) })

// Checklist 8.1: 403, 409, 500 and a missing reply are reported, but 422 is not.
test('refusals and faults are reported, mistakes in a form and ended sessions are not', () => {
  const reported = [0, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503, 504].filter((status) =>
    isReported(refusal(status), BROWSER),
  )
  expect(reported).toEqual([0, 403, 409, 500, 502, 504])
  expect(isReported({ error: new TypeError('x is undefined') }, BROWSER)).toBe(true)
  expect(isReported({ error: new DOMException('gone elsewhere', 'AbortError') }, BROWSER)).toBe(false)
})

test('a bot reports nothing', () => {
  expect(isReported(refusal(500), BOT)).toBe(false)
})

test('faults of before anybody listened are told to the first who does, and not without end', () => {
  const faults = createFaults()
  for (let index = 0; index < 50; index++) faults.tell({ error: index })
  const told: Fault[] = []
  const stop = faults.follow((fault) => told.push(fault))
  faults.tell({ error: 'now' })
  stop()
  faults.tell({ error: 'later' })
  expect(told.length).toBe(21)
  expect(told.at(-1)).toEqual({ error: 'now' })
})
