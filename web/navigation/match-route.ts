import { matchRoutes, type Path } from 'react-router'
import { NOT_FOUND_ROUTE, ROUTES, type SiteRoute } from '#web/routes.ts'

export type PageMatch = { route: SiteRoute; params: Readonly<Record<string, string | undefined>> }

const RANKED = [...ROUTES, NOT_FOUND_ROUTE].map((route) => ({ path: route.path, route }))

/** React Router ranks the routes by how specific they are. */
export function matchRoute(at: Pick<Path, 'pathname'>): PageMatch {
  const match = matchRoutes(RANKED, at.pathname)?.at(-1)
  return match === undefined
    ? { route: NOT_FOUND_ROUTE, params: {} }
    : { route: match.route.route, params: match.params }
}
