import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import { type Api, CallError } from '#contract/calls/calls.ts'
import type { PageReply, PageRequest, PageRoute, PayloadReply } from '#contract/page-request.ts'
import { assetsFor, readBuildManifest } from './build-manifest.ts'
import { createFrame } from './frame.ts'
import { ErrorLayout } from './layouts/error.tsx'
import { readyForMembers } from './layouts/for-members.tsx'
import { loaderSource } from './loader-input.ts'
import { PageAssetLinks } from './page-assets.tsx'
import { type PageData, type PageFailure, toScriptJson } from './page-data.ts'
import { Root } from './root.tsx'
import { LAYOUT_ROUTE_ID, routeObjects } from './route-objects.tsx'
import { NOT_FOUND_ROUTE, ROUTES, type SiteRoute } from './routes.ts'
import { screenFile } from './screens.ts'
import { structuredDataElement } from './structured-data.ts'
import { loadMessages } from './text/messages.ts'

await readyForMembers()
const { manifest, buildId } = readBuildManifest()
const handler = createStaticHandler(routeObjects(<ErrorLayout />))

export { buildId }

/** Every screen by path and by the query it reads: the server's page cache keeps apart only what these tell apart. */
export const routes: PageRoute[] = ROUTES.map(({ name, path, access, query }) => ({ name, path, access, query }))

/** Renders one page. A loader that fails makes a page that says so; `error` is then for the log. */
export async function render(page: PageRequest): Promise<PageReply> {
  const result = await load(page)
  if (result instanceof Response) return toRedirect(result)
  const failure = failureOf(result)
  const route = screenOf(result)
  const data: PageData = {
    ...pickPageData(page),
    loaderData: result.loaderData,
    failure: failure?.shown ?? null,
  }
  const dataText = toScriptJson(data)
  const frame = createFrame({ page: data, messages: await loadMessages(page.locale, 'first'), api: page.api })
  // What the browser is handed must be what was rendered: the boundary gets the failure as the browser will see it.
  if (failure !== null) result.errors = { [LAYOUT_ROUTE_ID]: new CallError(failure.shown) }
  const html = renderToString(
    <Root frame={frame} dataText={dataText}>
      <PageAssetLinks assets={assetsFor(manifest, { file: screenFile(route), locale: page.locale })} />
      <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, result)} context={result} hydrate={false} />
    </Root>,
  )
  const status = failure?.shown.httpStatus ?? (route === NOT_FOUND_ROUTE ? 404 : 200)
  const whole = html.replace('</head>', () => `${structuredDataElement(frame.structured)}</head>`)
  return { kind: 'page', status, html: `<!doctype html>${whole}`, error: failure?.error }
}

/** The loader data of a page, as client navigation asks for it. */
export async function payload(page: PageRequest): Promise<PayloadReply> {
  const result = await load(page)
  if (result instanceof Response) return toRedirect(result)
  const failure = failureOf(result)
  const status = failure?.shown.httpStatus ?? (screenOf(result) === NOT_FOUND_ROUTE ? 404 : 200)
  const shown = { buildId, now: page.now, loaderData: failure === null ? result.loaderData : {} }
  return { kind: 'payload', status, payload: shown, error: failure?.error }
}

/** Runs the loaders. During maintenance none runs: the page needs nothing that could fail. */
async function load(page: PageRequest): Promise<StaticHandlerContext | Response> {
  const { api, locale, session, now, maintenance } = page
  const requestContext = new RouterContextProvider()
  const { closedPages } = page.settings
  requestContext.set(loaderSource, { api: withOwnErrors(api), locale, session, now, closedPages })
  const request = new Request(page.url)
  if (maintenance === null) return handler.query(request, { requestContext })
  const result = await handler.query(request, { requestContext, filterMatchesToLoad: () => false })
  if (result instanceof Response) return result
  const failure: PageFailure = { httpStatus: 503, code: 'MAINTENANCE', message: maintenance }
  return { ...result, errors: { [LAYOUT_ROUTE_ID]: new CallError(failure) } }
}

/** The server throws its own CallError; here and in loaders it must be an instance of the class of this bundle. */
function withOwnErrors(api: Api): Api {
  return (key, input, options) =>
    api(key, input, options).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'CallError' || error instanceof CallError) throw error
      // Named so by the one class of contract/calls/calls.ts, loaded twice.
      const { httpStatus, code, message, errors, data } = error as CallError
      throw new CallError({ httpStatus, code, message, errors, data })
    })
}

type Failure = { shown: PageFailure; error: unknown }

/** What a failed page may say: the words of an expected failure, nothing of any other. */
function failureOf({ errors }: StaticHandlerContext): Failure | null {
  if (errors === null) return null
  const error: unknown = Object.values(errors)[0]
  if (!(error instanceof CallError) || error.httpStatus < 400) {
    return { shown: { httpStatus: 500, code: 'SERVER_ERROR', message: '' }, error }
  }
  const { httpStatus, code, message } = error
  return { shown: { httpStatus, code, message }, error: httpStatus === 500 ? error : undefined }
}

function screenOf({ matches }: StaticHandlerContext): SiteRoute {
  const id = matches.at(-1)?.route.id
  return ROUTES.find(({ name }) => name === id) ?? NOT_FOUND_ROUTE
}

function toRedirect(response: Response) {
  return { kind: 'redirect' as const, location: response.headers.get('Location') ?? '/' }
}

function pickPageData(page: PageRequest): Omit<PageData, 'loaderData' | 'failure'> {
  const { now, locale, locales, theme, zone, session, settings, publicUrl, alternates, indexing } = page
  return { buildId, now, locale, locales, theme, zone, session, settings, publicUrl, alternates, indexing }
}
