const PARAM = 'max'
const LIFTED = 'none'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/** A decimal of the wire; null without one. `own`: the reader's setting, which any other word lifts. */
export function readMaxPrice(params: URLSearchParams, own: string | null): string | null {
  const text = params.get(PARAM) ?? own ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** Keeps other parameters. An empty value would be missing on the server, which drops those. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null, own: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === own) next.delete(PARAM)
  else next.set(PARAM, maxPrice ?? LIFTED)
  return next
}
