import { routeNamed } from './routes.ts'

/**
 * Returns the path of the top-up page for the missing amount. The user returns to this page with the number still
 * chosen.
 */
export function topUpPath(missing: string | null): string {
  const { pathname, search } = window.location
  return topUpFor(pathname + search, missing)
}

/**
 * Returns the path of the top-up page. Without `missing` it computes the amount for the number chosen on the page
 * `back`.
 */
export function topUpFor(back: string, missing: string | null = null): string {
  const query = new URLSearchParams({ ...(missing !== null && { amount: missing }), back })
  return `${routeNamed('top-up')?.path}?${query}`
}
