import { HISTORY_MODES } from '#contract/past/history.ts'
import { readIds } from './address.ts'

/** A null mode means all modes, and an empty list means all services or countries. */
export type PurchaseChoice = { mode: (typeof HISTORY_MODES)[number] | null; services: string[]; countries: number[] }

/** Reads the filters of purchases, such as `?mode=rent&services=tg,wa&countries=2,6`. */
export function readPurchases(params: URLSearchParams): PurchaseChoice {
  return { mode: HISTORY_MODES.find((known) => known === params.get('mode')) ?? null, ...readIds(params) }
}

export function purchasesInput({ mode, services, countries }: PurchaseChoice) {
  return {
    ...(mode === null ? {} : { mode }),
    ...(services.length === 0 ? {} : { services_ids: services }),
    ...(countries.length === 0 ? {} : { countries_ids: countries }),
  }
}
