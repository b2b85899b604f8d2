const PARAM = 'max'
const DECIMAL_PATTERN = /^\d{1,12}(\.\d{1,6})?$/

/** A decimal of the wire; null without one. `own`: the reader's setting, which an empty parameter lifts. */
export function readMaxPrice(params: URLSearchParams, own: string | null): string | null {
  const text = params.get(PARAM) ?? own ?? ''
  return DECIMAL_PATTERN.test(text) ? text : null
}

/** Keeps other parameters. */
export function writeMaxPrice(params: URLSearchParams, maxPrice: string | null, own: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (maxPrice === own) next.delete(PARAM)
  else next.set(PARAM, maxPrice ?? '')
  return next
}
