const PARAM = 'max'
const LIFTED = 'none'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/** Returns the price limit in the query, or else in the settings (`own`). A value such as `none` means no limit. */
export function readMaxPrice(params: URLSearchParams, own: string | null): string | null {
  const text = params.get(PARAM) ?? own ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** Writes the price limit into the query. A removed limit is `none`, because the server drops empty values. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null, own: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === own) next.delete(PARAM)
  else next.set(PARAM, maxPrice ?? LIFTED)
  return next
}
