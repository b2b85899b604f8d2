import { matchRoutes, type Path } from 'react-router'
import { NOT_FOUND_ROUTE, ROUTES, type SiteRoute } from '#web/routes.ts'

/** The route of an address, with the parameters its path names. */
export type PageMatch = { route: SiteRoute; params: Readonly<Record<string, string | undefined>> }

const RANKED = [...ROUTES, NOT_FOUND_ROUTE].map((route) => ({ path: route.path, route }))

/** The most specific route of a path; the 404 page's when none matches. */
export function matchRoute(at: Pick<Path, 'pathname'>): PageMatch {
  const match = matchRoutes(RANKED, at.pathname)?.at(-1)
  return match === undefined
    ? { route: NOT_FOUND_ROUTE, params: {} }
    : { route: match.route.route, params: match.params }
}
