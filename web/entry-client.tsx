import './styles.css'
import { lazy, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { type DataRouteObject, matchRoutes, RouterContextProvider, UNSAFE_createBrowserHistory } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { type Api, CallError } from '#contract/calls/calls.ts'
import type { SiteSettings } from '#contract/user.ts'
import { EarlyPress, takeEarlyPress } from './early-press.ts'
import { createFrame } from './frame.ts'
import { inBackground } from './in-background.ts'
import { readyForMembers } from './layouts/for-members.tsx'
import { loaderSource } from './loader-input.ts'
import { loadDocument } from './navigation/load-document.ts'
import { loadCodeOf, screenLoading } from './navigation/load-screen.ts'
import { createPageRouter } from './navigation/page-router.ts'
import { sharingReads } from './navigation/sharing-reads.ts'
import { PAGE_DATA_ID, type PageData, readPageData } from './page-data.ts'
import { createFaults } from './reports/faults.ts'
import { Root } from './root.tsx'
import { LAYOUT_ROUTE_ID, routeObjects } from './route-objects.tsx'
import { textsOf } from './routes.ts'
import { createApiClient } from './session/api-client.ts'
import { confirmedApi } from './session/confirmed-api.ts'
import { expireSession, heedNews } from './session/follow-session.ts'
import { pause } from './session/retry.ts'
import { renewSession } from './session/session-life.ts'
import { loadMessages, type Messages } from './text/messages.ts'

/** Most visits see no failure, so what shows one comes after the page: still before it is needed, for then the network may be gone. */
const loadErrorLayout = () => import('./layouts/error.tsx')
const ErrorLayout = lazy(async () => ({ default: (await loadErrorLayout()).ErrorLayout }))

// Not awaited: the screen it loads waits for the file this stands in, and each would wait for the other.
start().catch(reportError)

/** Takes over the page that the server rendered. */
async function start(): Promise<void> {
  await documentRead()
  const page = readPageData()
  const routes = routeObjects(<ErrorLayout />)
  const matches = matchRoutes(routes, location) ?? []
  const isMembers = page.session.status === 'authenticated'
  const extent = isMembers ? 'all' : textsOf(matches.at(-1)?.route.id)
  const [messages] = await Promise.all([
    loadMessages(page.locale, extent),
    loadCodeOf(matches),
    isMembers ? readyForMembers().catch(reportError) : null,
  ])
  const client = createClient(page, messages, routes)
  const { frame, router } = client
  const pressed = takeEarlyPress()
  startTransition(() => {
    hydrateRoot(
      document,
      <Root frame={frame} dataText={document.getElementById(PAGE_DATA_ID)?.textContent ?? ''}>
        <EarlyPress pressed={pressed} />
        <RouterProvider router={router} />
      </Root>,
    )
  })
  addEventListener('load', () => inBackground(loadErrorLayout()), { once: true })
  frame.alerts.watchVisibility()
  frame.tabs.listen((news) => heedNews(frame, router, news))
  frame.alerts.add(page.settings.alerts)
}

function createClient(page: PageData, messages: Messages, routes: DataRouteObject[]) {
  // The api client and the router need each other: a session that ends leads home, and loaders call through the client.
  const faults = createFaults()
  addEventListener('error', ({ error }) => faults.tell({ error }))
  addEventListener('unhandledrejection', ({ reason }) => faults.tell({ error: reason }))
  const client = createApiClient({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      // A page may come from a cache, and the visitor's clock may be wrong: each reply tells the server's time.
      frame.clock.sync(response.headers.get('date'))
      return response
    },
    pause,
    token: () => frame.session.get().token,
    refreshable: () => frame.session.get().status !== 'unauthenticated',
    locale: () => frame.language.get().locale,
    zone: page.zone.name,
    onRefreshed: (reply) => {
      if (renewSession(frame, reply)) inBackground(router.revalidate())
    },
    onExpired: () => expireSession(frame, router),
    onMessage: (message) => frame.alerts.add(message),
  })
  const confirmed = confirmedApi(client, () => frame.dialogs)
  const api: Api = (key, input, callOptions) =>
    confirmed(key, input, callOptions).catch((error: unknown) => {
      faults.tell({ error, call: key })
      throw error
    })
  const frame = createFrame({ page, messages, api, faults })
  const newContext = () => {
    const context = new RouterContextProvider()
    const { locale } = frame.language.get()
    const { status } = frame.session.get()
    const { closedPages } = frame.queryClient.getQueryData<SiteSettings>(['settings']) ?? page.settings
    context.set(loaderSource, {
      api: sharingReads(api, frame.queryClient),
      locale,
      session: { status },
      now: new Date().toISOString(),
      closedPages,
    })
    return context
  }
  const router = createPageRouter({
    routes,
    history: UNSAFE_createBrowserHistory(),
    loaderData: page.loaderData,
    errors: page.failure === null ? null : { [LAYOUT_ROUTE_ID]: new CallError(page.failure) },
    load: screenLoading(frame, newContext),
    takesOver: (href) => frame.newBuild.get() && loadDocument(href),
  })
  return { frame, router }
}

/** The script is loaded beside the document and may come first: then its end is waited for. */
function documentRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }))
}
