import { QUEUE_STATES } from '#contract/staff/staff-constants.ts'
import type { QueueFilter } from '#contract/staff/staff-room.ts'
import { SUPPORT_CATEGORIES, type SupportCategory } from '#contract/support/support-constants.ts'
import { readPage } from '#web/catalogue/pages-nav.tsx'

export type QueueChoice = {
  state: QueueFilter['state']
  category: SupportCategory | null
  mine: boolean
  search: string
  page: number
}

export function readQueue(params: URLSearchParams): QueueChoice {
  return {
    state: QUEUE_STATES.find((state) => state === params.get('state')) ?? 'open',
    category: SUPPORT_CATEGORIES.find((category) => category === params.get('category')) ?? null,
    mine: params.get('mine') === '1',
    search: params.get('search') ?? '',
    page: readPage(params),
  }
}

export function writeQueue({ state, category, mine, search }: QueueChoice): string {
  const params = new URLSearchParams()
  if (state !== 'open') params.set('state', state)
  if (category !== null) params.set('category', category)
  if (mine) params.set('mine', '1')
  if (search !== '') params.set('search', search)
  return params.toString()
}

export function queueInput({ state, category, mine, search, page }: QueueChoice): Partial<QueueFilter> {
  return {
    state,
    page,
    ...(category !== null && { category }),
    ...(mine && { mine: '1' as const }),
    ...(search !== '' && { search }),
  }
}
