const PARAM = 'max'
const LIFTED = 'none'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/**
 * Returns the price limit as a decimal string, or null. `own` is the limit in the reader's settings. A query parameter
 * that is no decimal removes the limit.
 */
export function readMaxPrice(params: URLSearchParams, own: string | null): string | null {
  const text = params.get(PARAM) ?? own ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** Other query parameters stay. A removed limit is written as `none`, because the server drops empty values. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null, own: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === own) next.delete(PARAM)
  else next.set(PARAM, maxPrice ?? LIFTED)
  return next
}
