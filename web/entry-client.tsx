import './styles.css'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes, type RouteObject, RouterContextProvider } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { CallError } from '#contract/calls.ts'
import { createFrame } from './frame.ts'
import { loaderSource } from './loader-input.ts'
import { PAGE_DATA_ID, type PageData, readPageData } from './page-data.ts'
import { Root } from './root.tsx'
import { LAYOUT_ROUTE_ID, routeObjects } from './route-objects.tsx'
import { createApiClient } from './session/api-client.ts'
import { payloadStrategy } from './session/payload-strategy.ts'
import { endSession, renewSession } from './session/session-life.ts'
import { loadMessages, type Messages } from './text/messages.ts'

await start()

/** Takes over the page that the server rendered. */
async function start(): Promise<void> {
  await documentRead()
  const page = readPageData()
  const routes = routeObjects()
  const [messages] = await Promise.all([loadMessages(page.locale), loadShownScreen(routes)])
  const client = createClient(page, messages, routes)
  const { frame, router } = client
  startTransition(() => {
    hydrateRoot(
      document,
      <Root frame={frame} dataText={document.getElementById(PAGE_DATA_ID)?.textContent ?? ''}>
        {null}
        <RouterProvider router={router} />
      </Root>,
    )
  })
  frame.alerts.watchVisibility()
  frame.alerts.add(page.settings.alerts)
}

function createClient(page: PageData, messages: Messages, routes: RouteObject[]) {
  // The api client and the router need each other: a session that ends leads home, and loaders call through the client.
  const api = createApiClient({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      // A page may come from a cache, and the visitor's clock may be wrong: each reply tells the server's time.
      frame.clock.sync(response.headers.get('date'))
      return response
    },
    token: () => frame.session.get().token,
    refreshable: () => frame.session.get().status !== 'unauthenticated',
    locale: () => frame.language.get().locale,
    zone: page.zone.name,
    onRefreshed: (reply) => renewSession(frame, reply),
    onExpired: () => {
      endSession(frame)
      void router.navigate('/')
      frame.dialogs.open('login', {})
    },
    onMessage: (message) => frame.alerts.add(message),
  })
  const frame = createFrame({ page, messages, api })
  const router = createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider()
      const { locale } = frame.language.get()
      const { status } = frame.session.get()
      context.set(loaderSource, { api, locale, session: { status }, now: new Date().toISOString() })
      return context
    },
    dataStrategy: payloadStrategy(frame),
    hydrationData: {
      loaderData: page.loaderData,
      ...(page.failure === null ? {} : { errors: { [LAYOUT_ROUTE_ID]: new CallError(page.failure) } }),
    },
  })
  return { frame, router }
}

/** The code of the screen that is on the page must be here before hydration, or a placeholder would replace it. */
async function loadShownScreen(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? []
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return
      Object.assign(route, { ...(await route.lazy()), lazy: undefined })
    }),
  )
}

/** The script is loaded beside the document and may come first: then its end is waited for. */
function documentRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }))
}
