import './styles.css'
import { type ComponentType, lazy, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { useTranslations } from 'use-intl'
import { type Api, CallError } from '#contract/calls/calls.ts'
import { CHOICE_COOKIE_SECONDS } from '#contract/constants.ts'
import { TIME_ZONE_COOKIE } from '#contract/page-request.ts'
import { browserSource } from './browser-source.ts'
import { EarlyPress, takeEarlyPress } from './early-press.ts'
import { createAppContext, userIdOf } from './house/app-context.ts'
import { inBackground } from './house/in-background.ts'
import { PAGE_DATA_ID, type PageData, readPageData } from './house/page-data.ts'
import { createFaults } from './house/stores/faults.ts'
import { readyForMembers } from './layouts/for-members.tsx'
import { useOnline } from './live/use-online.ts'
import { loadMessages, type Messages } from './locales/messages.ts'
import { browserHistory } from './navigation/history.ts'
import { loadDocument } from './navigation/load-document.ts'
import { loadPage, type PageContent } from './navigation/load-page.ts'
import { matchRoute } from './navigation/match-route.ts'
import { createPages } from './navigation/pages.ts'
import { textsOf } from './navigation/routes.ts'
import { rememberScroll } from './navigation/scroll.ts'
import { PageView } from './page-view.tsx'
import { Root } from './root.tsx'
import { loadScreen } from './screens/load-screen.ts'
import { createApiClient, isOfRefresh } from './session/api-client.ts'
import { confirmedApi } from './session/confirmed-api.ts'
import { readCookie, setCookie } from './session/cookie.ts'
import { expireSession, heedNews } from './session/follow-session.ts'
import { pause } from './session/retry.ts'
import { isLeaving, renewSession } from './session/session-life.ts'
import { untilOnline } from './ui/lazy-part.tsx'

/** Loads the error layout after the page, which seldom needs it, but before the network might fail. */
const loadErrorLayout = () => import('./layouts/error.tsx')
type ErrorView = ComponentType<{ error: unknown }>
const LaterErrorLayout = lazy<ErrorView>(() =>
  untilOnline(loadErrorLayout).then(({ ErrorLayout }) => ({ default: ErrorLayout }), loadAnew),
)

window.pageBegan = true
// A top-level await would deadlock, because the screen's module imports this module.
start().catch((error: unknown) => {
  // A script of the page was missing when the network failed, so the page reloads when the network returns.
  if (!navigator.onLine)
    addEventListener('online', () => (window.loadPageAgain ?? (() => location.reload()))(), { once: true })
  reportError(error)
})

async function start(): Promise<void> {
  await documentRead()
  const page = readPageData()
  const { route } = matchRoute(location)
  const isMembers = page.session.status === 'authenticated'
  const [messages, screen, ErrorLayout] = await Promise.all([
    loadMessages(page.locale, isMembers ? 'all' : textsOf(route.name)),
    // The screen's script loads before hydration. A placeholder would else replace the server's HTML.
    loadScreen(route),
    // A failed page needs the error layout before hydration. Loading it during hydration would lose presses.
    page.failure === null ? LaterErrorLayout : loadErrorLayout().then((layout) => layout.ErrorLayout),
    isMembers ? readyForMembers().catch(reportError) : null,
  ])
  const content =
    page.failure === null ? { screen, data: page.loaderData[route.name] } : { error: new CallError(page.failure) }
  const { app, pages } = createClient(page, messages, content)
  const pressed = takeEarlyPress()
  startTransition(() => {
    hydrateRoot(
      document,
      <Root app={app} dataText={document.getElementById(PAGE_DATA_ID)?.textContent ?? ''}>
        <EarlyPress pressed={pressed} />
        <PageView pages={pages} ErrorLayout={ErrorLayout} />
      </Root>,
    )
  })
  // The page's load event may have come long before its scripts run.
  if (document.readyState === 'complete') inBackground(loadErrorLayout())
  else addEventListener('load', () => inBackground(loadErrorLayout()), { once: true })
  app.alerts.watchVisibility()
  if (isMembers) rememberTimeZone()
  app.tabs.listen((news) => heedNews(app, pages, news))
}

/** Stores the time zone of members only, because visitors see no times. */
function rememberTimeZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (readCookie(TIME_ZONE_COOKIE) !== timeZone) setCookie(TIME_ZONE_COOKIE, timeZone, CHOICE_COOKIE_SECONDS)
}

/** Reloads the page if the error layout cannot be loaded. The browser or the service worker then shows the failure. */
function loadAnew(): { default: ErrorView } {
  loadDocument(location.href)
  return { default: Failed }
}

/** Renders a text until the reload. The text stays if the document has just been reloaded. */
function Failed() {
  const t = useTranslations('errors')
  const online = useOnline()
  return (
    <p className="p-6">
      {t(online ? 'failed' : 'offline')} <a href={location.href}>{t('retry')}</a>
    </p>
  )
}

function createClient(page: PageData, messages: Messages, content: PageContent) {
  // The API client and the pages depend on each other: an expired session navigates, and loaders make API calls.
  const faults = createFaults()
  addEventListener('error', ({ error }) => faults.tell({ error }))
  addEventListener('unhandledrejection', ({ reason }) => faults.tell({ error: reason }))
  const client = createApiClient({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      // The time of a cached page and of the device may be wrong, but each reply carries the server's time.
      app.clock.sync(response.headers.get('date'))
      return response
    },
    pause,
    token: () => app.session.get().token,
    refreshable: () => app.session.get().status !== 'unauthenticated',
    leaving: () => isLeaving(app),
    userId: () => userIdOf(app),
    locale: () => app.language.get().locale,
    zone: page.zone.name,
    onRefreshed: (reply) => {
      if (renewSession(app, reply)) inBackground(pages.reload())
    },
    onExpired: (why) => expireSession(app, pages, why),
    onMessage: (message) => app.alerts.add(message),
  })
  const confirmed = confirmedApi(client, () => app.dialogs)
  const api: Api = (key, input, callOptions) =>
    confirmed(key, input, callOptions).catch((error: unknown) => {
      if (!isOfRefresh(error)) faults.tell({ error, call: key })
      throw error
    })
  const app = createAppContext({ page, messages, api, faults })
  const history = browserHistory()
  const pages = createPages({
    history,
    content,
    load: (match, url, signal) => loadPage(match, url, browserSource(app, api, url, signal)),
    takesOver: (href) => app.newBuild.get() && loadDocument(href),
    scroll: rememberScroll(history),
  })
  return { app, pages }
}

/** Resolves when the document is parsed, because the script may run earlier. */
function documentRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }))
}
