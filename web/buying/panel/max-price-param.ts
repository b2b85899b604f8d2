const PARAM = 'max'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/** A decimal of the wire; null without one. */
export function readMaxPrice(params: URLSearchParams): string | null {
  const text = params.get(PARAM) ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** Keeps other parameters. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === null) next.delete(PARAM)
  else next.set(PARAM, maxPrice)
  return next
}
