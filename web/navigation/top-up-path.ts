import { routeNamed } from './routes.ts'

/** To the top-up with the missing amount, and from there back to this page, where the number is still chosen. */
export function topUpPath(missing: string | null): string {
  const { pathname, search } = window.location
  return topUpFor(pathname + search, missing)
}

/** The top-up finds out what is missing for the number that is chosen on the page `back`. */
export function topUpFor(back: string, missing: string | null = null): string {
  const query = new URLSearchParams({ ...(missing !== null && { amount: missing }), back })
  return `${routeNamed('top-up')?.path}?${query}`
}
