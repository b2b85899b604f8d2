import { matchRoutes, type Path } from 'react-router'
import { NOT_FOUND_ROUTE, ROUTES, type SiteRoute } from './routes.ts'

export type PageMatch = { route: SiteRoute; params: Readonly<Record<string, string | undefined>> }

const RANKED = [...ROUTES, NOT_FOUND_ROUTE].map((route) => ({ path: route.path, route }))

/** React Router compiles and ranks all routes for every match, but a path without parameters needs neither. */
const PLAIN = new Map(ROUTES.filter(({ path }) => !/[:*?]/.test(path)).map((route) => [route.path, route]))

export function matchRoute(at: Pick<Path, 'pathname'>): PageMatch {
  const plain = PLAIN.get(at.pathname)
  if (plain !== undefined) return { route: plain, params: {} }
  const match = matchRoutes(RANKED, at.pathname)?.at(-1)
  return match === undefined
    ? { route: NOT_FOUND_ROUTE, params: {} }
    : { route: match.route.route, params: match.params }
}
