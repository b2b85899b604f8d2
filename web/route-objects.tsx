import type { ReactElement } from 'react'
import type { DataRouteObject, ShouldRevalidateFunctionArgs } from 'react-router'
import { MainLayout } from './layouts/main.tsx'
import { guardedLoader } from './loader-input.ts'
import { NOT_FOUND_ROUTE, ROUTES, type SiteRoute } from './routes.ts'
import { loadScreen } from './screens.ts'

/** The id of the route around all screens: its boundary shows every failure. */
export const LAYOUT_ROUTE_ID = 'main'

/** The list of screens as the router wants it; made once on each side. `errorElement` is shown in place of one that failed. */
export function routeObjects(errorElement: ReactElement): DataRouteObject[] {
  return [
    {
      id: LAYOUT_ROUTE_ID,
      Component: MainLayout,
      errorElement,
      children: [...ROUTES, NOT_FOUND_ROUTE].map(toRouteObject),
    },
  ]
}

function toRouteObject(route: SiteRoute): DataRouteObject {
  return {
    id: route.name,
    path: route.path,
    lazy: async () => {
      const screen = await loadScreen(route)
      return {
        Component: screen.Page,
        loader: guardedLoader(route, screen.loader),
        shouldRevalidate: (args: ShouldRevalidateFunctionArgs) =>
          screen.ownsQuery && onlyQueryChanged(args) ? false : concernsScreen(route, args),
      }
    },
  }
}

/** A change of the query that the screen does not read needs no new data: `?login=1` being dropped, a hash, a campaign's mark. */
function concernsScreen(route: SiteRoute, args: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args
  const sameAddress = currentUrl.href === nextUrl.href
  const samePage =
    currentUrl.pathname === nextUrl.pathname && pageQuery(route, currentUrl) === pageQuery(route, nextUrl)
  return samePage && !sameAddress ? false : defaultShouldRevalidate
}

function onlyQueryChanged({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
}

function pageQuery(route: SiteRoute, url: URL): string {
  return route.query.map((name) => `${name}=${url.searchParams.getAll(name).join(',')}`).join('&')
}
