import type { QueryClient } from '@tanstack/react-query'
import type { MessageRecord } from '#contract/activation.ts'
import type { Api } from '#contract/calls/calls.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import type {
  NumberKindName,
  NumberRecord,
  NumberRecords,
  NumbersFilter,
  NumbersPage,
} from '#web/live/numbers-cache.ts'
import { RentMark } from '#web/numbers/rent-ticket/rent-mark.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'

export type NumberKind<Item extends NumberRecord> = {
  name: NumberKindName
  loadPage: (api: Api, input: NumbersFilter & { page: number }, signal?: AbortSignal) => Promise<NumbersPage<Item>>
  loadOne: (api: Api, id: number, signal?: AbortSignal) => Promise<{ data: Item }>
  cancel: (api: Api, id: number, idempotencyKey: string) => Promise<{ data: Item }>
  /** Returns the end of the activation or rental as an ISO 8601 time. */
  endsAt: (record: Item) => string
  ServiceMark: typeof Mark
  apply: (queryClient: QueryClient, record: Item) => void
  newCode: (record: Item, message: MessageRecord) => LiveEvent
}

export const ACTIVATIONS: NumberKind<NumberRecords['activation']> = {
  name: 'activation',
  loadPage: (api, input, signal) => api('GET /api/user/active-numbers', input, options(signal)),
  loadOne: (api, id, signal) => api('GET /api/v1/activations/{id}', { id }, options(signal)),
  cancel: (api, id, idempotencyKey) => api('POST /api/v1/activations/{id}/cancel', { id }, { idempotencyKey }),
  endsAt: (record) => record.expires_at,
  ServiceMark: Mark,
  apply: (queryClient, record) => applyRecordToCache(queryClient, 'activation', record),
  newCode: (record, message) => ({ name: 'NewCode', payload: { kind: 'activation', record, message } }),
}

export const RENTALS: NumberKind<NumberRecords['rental']> = {
  name: 'rental',
  loadPage: (api, input, signal) => api('GET /api/user/active-rent-numbers', input, options(signal)),
  loadOne: (api, id, signal) => api('GET /api/v1/rentals/{id}', { id }, options(signal)),
  cancel: (api, id, idempotencyKey) => api('POST /api/v1/rentals/{id}/cancel', { id }, { idempotencyKey }),
  endsAt: (record) => record.expired_date,
  ServiceMark: RentMark,
  apply: (queryClient, record) => applyRecordToCache(queryClient, 'rental', record),
  newCode: (record, message) => ({ name: 'NewCode', payload: { kind: 'rental', record, message } }),
}

function options(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
