import { renderToString } from 'react-dom/server'
import { type Api, CallError } from '#contract/calls/calls.ts'
import type { PageReply, PageRequest, PageRoute, PayloadReply } from '#contract/page-request.ts'
import { assetsFor, readBuildManifest } from './build-manifest.ts'
import { createAppContext } from './house/app-context.ts'
import { type PageData, type PageFailure, toScriptJson } from './house/page-data.ts'
import { structuredDataElement } from './house/structured-data.ts'
import { ErrorLayout } from './layouts/error.tsx'
import { readyForMembers } from './layouts/for-members.tsx'
import { loadMessages } from './locales/messages.ts'
import { loadPage, type PageContent } from './navigation/load-page.ts'
import { Redirect } from './navigation/loader-input.ts'
import { matchRoute, type PageMatch } from './navigation/match-route.ts'
import { createPages, type Pages } from './navigation/pages.ts'
import { NOT_FOUND_ROUTE, ROUTES } from './navigation/routes.ts'
import { PageAssetLinks } from './page-assets.tsx'
import { PageView } from './page-view.tsx'
import { Root } from './root.tsx'
import { loadScreen, screenFile } from './screens/load-screen.ts'

await readyForMembers()
const { manifest, buildId } = readBuildManifest()

export { buildId }

/** The routes for the server. The server's page cache distinguishes pages only by the query parameters in `query`. */
export const routes: PageRoute[] = ROUTES.map(({ name, path, access, query }) => ({ name, path, access, query }))

/** Renders a page. A failing loader results in an error page, and the reply's `error` is for the log. */
export async function render(page: PageRequest): Promise<PageReply> {
  const match = matchRoute(page.url)
  const content = await load(page, match)
  if (content instanceof Redirect) return { kind: 'redirect', location: content.location }
  const failure = failureOf(content)
  const data: PageData = {
    ...pickPageData(page),
    loaderData: loaderDataOf(match, content),
    failure: failure?.shown ?? null,
  }
  const app = createAppContext({ page: data, messages: await loadMessages(page.locale, 'initial'), api: page.api })
  // The browser hydrates from `failure.shown`, so the server must render the same error.
  const shown = failure === null ? content : { error: new CallError(failure.shown) }
  const html = renderToString(
    <Root app={app} dataText={toScriptJson(data)}>
      <PageAssetLinks assets={assetsFor(manifest, { file: screenFile(match.route), locale: page.locale })} />
      <PageView pages={pageAt(page.url, shown)} ErrorLayout={ErrorLayout} />
    </Root>,
  )
  const whole = html.replace('</head>', () => `${structuredDataElement(app.structured)}</head>`)
  return { kind: 'page', status: statusOf(match, failure), html: `<!doctype html>${whole}`, error: failure?.error }
}

export async function payload(page: PageRequest): Promise<PayloadReply> {
  const match = matchRoute(page.url)
  const content = await load(page, match)
  if (content instanceof Redirect) return { kind: 'redirect', location: content.location }
  const failure = failureOf(content)
  const shown = { buildId, now: page.now, loaderData: loaderDataOf(match, content) }
  return { kind: 'payload', status: statusOf(match, failure), payload: shown, error: failure?.error }
}

/** Loads a page's data, but none for a refused page, because a page that shows a refusal must not fail. */
async function load(page: PageRequest, match: PageMatch): Promise<PageContent | Redirect> {
  const { api, locale, session, now, refused, url, settings } = page
  if (refused !== null) return { error: new CallError(refused) }
  const { closedPages } = settings
  const isClosed = async (name: string) => closedPages.includes(name)
  return loadPage(match, url, { api: withOwnErrors(api), locale, session, now, isClosed, screenOf: loadScreen })
}

function pageAt({ pathname, search, origin }: URL, content: PageContent): Pages {
  const nowhere = () => undefined
  const location = { pathname, search, hash: '', state: null, key: 'default' }
  return createPages({
    history: { location, origin, push: nowhere, replace: nowhere, listen: () => nowhere },
    content,
    load: async () => content,
    takesOver: () => false,
    scroll: { positions: {}, position: () => 0 },
  })
}

function loaderDataOf({ route }: PageMatch, content: PageContent): PageData['loaderData'] {
  return 'error' in content ? {} : { [route.name]: content.data }
}

function statusOf({ route }: PageMatch, failure: Failure | null): number {
  return failure?.shown.httpStatus ?? (route === NOT_FOUND_ROUTE ? 404 : 200)
}

/** Converts the server's CallErrors into this bundle's class, so that `instanceof CallError` holds in loaders. */
function withOwnErrors(api: Api): Api {
  return (key, input, options) =>
    api(key, input, options).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'CallError' || error instanceof CallError) throw error
      // The cast is safe, because both bundles contain the class of contract/calls/calls.ts.
      const { httpStatus, code, message, errors, data } = error as CallError
      throw new CallError({ httpStatus, code, message, errors, data })
    })
}

type Failure = { shown: PageFailure; error: unknown }

function failureOf(content: PageContent): Failure | null {
  if (!('error' in content)) return null
  const { error } = content
  if (!(error instanceof CallError) || error.httpStatus < 400) {
    return { shown: { httpStatus: 500, code: 'SERVER_ERROR', message: '' }, error }
  }
  const { httpStatus, code, message } = error
  return { shown: { httpStatus, code, message }, error: httpStatus === 500 ? error : undefined }
}

function pickPageData(page: PageRequest): Omit<PageData, 'loaderData' | 'failure'> {
  const { now, locale, locales, theme, browserTimeZone, zone } = page
  const { session, settings, publicUrl, alternates, indexing } = page
  return {
    buildId,
    now,
    locale,
    locales,
    theme,
    browserTimeZone,
    zone,
    session,
    settings,
    publicUrl,
    alternates,
    indexing,
  }
}
