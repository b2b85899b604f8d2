import { routeNamed } from './routes.ts'

/**
 * Returns the path of the top-up page for the missing amount. After the payment the user can return to the current URL.
 */
export function topUpPath(missing: string | null): string {
  const { pathname, search } = window.location
  return topUpFor(pathname + search, missing)
}

/** Returns the top-up page's path. Without `missing`, the page computes that amount from the path `back`. */
export function topUpFor(back: string, missing: string | null = null): string {
  const query = new URLSearchParams({ ...(missing !== null && { amount: missing }), back })
  return `${routeNamed('top-up')?.path}?${query}`
}
