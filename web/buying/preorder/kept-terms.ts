import { PREORDER_HOURS } from '#contract/constants.ts'
import { readMaxPrice } from '#web/buying/panel/max-price-param.ts'

export type KeptTerms = { maxPrice: string | null; hours: number | null }

export function readKeptTerms(params: URLSearchParams): KeptTerms {
  const maxPrice = readMaxPrice(new URLSearchParams({ max: params.get('at') ?? '' }), null)
  const hours = PREORDER_HOURS.find((count) => String(count) === params.get('wait'))
  return { maxPrice, hours: hours ?? null }
}

export function withTerms(params: URLSearchParams, terms: { maxPrice: string; hours: number }): URLSearchParams {
  const next = new URLSearchParams(params)
  next.set('at', terms.maxPrice)
  next.set('wait', String(terms.hours))
  return next
}

export function withoutTerms(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('at')
  next.delete('wait')
  return next
}
