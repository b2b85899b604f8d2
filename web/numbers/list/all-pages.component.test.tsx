import { expect, test } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { ACTIVATIONS } from './number-kind.ts'
import { useLoadAll } from './use-load-all.ts'
import { useNumbers } from './use-numbers.ts'

const COUNT = 1_000
const PAGE_SIZE = 20
const PAGES = COUNT / PAGE_SIZE
const SLOW = { timeout: 60_000 }
const FILTER = { per_page: PAGE_SIZE }

function Ids() {
  const { query, tickets } = useNumbers(ACTIVATIONS, FILTER, null)
  useLoadAll(query, true)
  return <output>{tickets.flatMap(({ id, final }) => (final ? [] : [id])).join()}</output>
}

const number = (id: number) =>
  activationRecord({
    id,
    created_at: new Date(id).toISOString(),
    cancel_from: '2099-01-01T00:00:00.000Z',
    expires_at: '2099-01-01T00:00:00.000Z',
  })

test('of 1 000 numbers none is missing or double, though numbers come and end between the pages', SLOW, async () => {
  let open: ActivationRecord[] = Array.from({ length: COUNT }, (_, index) => number(COUNT - index))
  const ended = new Map<number, ActivationRecord>()
  let [asked, next] = [0, COUNT + 1]
  /** No event tells of these changes, so only the pages can. More end than come, so each page skips some numbers. */
  function change(): void {
    asked += 1
    if (asked > PAGES) return
    if (asked % 3 === 0) {
      const gone = open.slice(asked, asked + 3)
      for (const record of gone) ended.set(record.id, { ...record, state: 'cancelled', final: true })
      open = open.filter((record) => !gone.includes(record))
    }
    if (asked % 7 === 0) open = [number(next++), ...open]
  }
  await show(<Ids />, {
    session: MEMBER,
    answers: {
      'GET /api/user': anna,
      'GET /api/user/active-numbers': ({ page = 1 }) => {
        change()
        const data = open.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
        const meta = { last_page: Math.ceil(open.length / PAGE_SIZE), total: open.length }
        return { status: true, antifraud: [], total_count: open.length, numbers: { data, meta } }
      },
      'GET /api/v1/activations/{id}': ({ id }) => {
        const data = ended.get(id) ?? open.find((record) => record.id === id)
        if (data === undefined) throw refusal(404, 'NOT_FOUND')
        return { status: true, data }
      },
    },
  })
  const shown = () => document.querySelector('output')?.textContent
  await expect.poll(() => shown() === open.map(({ id }) => id).join(), { timeout: 25_000, interval: 100 }).toBe(true)
  expect(asked).toBeGreaterThan(PAGES - 5)
})
