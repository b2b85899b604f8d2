const PARAM = 'max'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/** The most the person wants to pay, a decimal of the wire, as the address has it; null without one. */
export function readMaxPrice(params: URLSearchParams): string | null {
  const text = params.get(PARAM) ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** The address' query with it; other parameters stay as they are. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === null) next.delete(PARAM)
  else next.set(PARAM, maxPrice)
  return next
}
