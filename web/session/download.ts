import { CallError } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import type { AppContext } from '#web/app-context.ts'
import { parseBody, toCallError, toQuery } from './api-client.ts'
import { pause, RETRIED_STATUSES, retryDelayMs } from './retry.ts'

/** The server streams the file while reading: a hundred thousand lines take time. */
const FILE_TIMEOUT_MS = 2 * MINUTE

export type DownloadContext = Pick<AppContext, 'api' | 'session' | 'language' | 'page'> & {
  fetch?: typeof fetch
  pause?: typeof pause
}

/** A link cannot send the token. Rejects with the CallError of a failure (specification 8). */
export async function downloadFile(app: DownloadContext, path: string, input: object): Promise<Blob> {
  if (app.session.get().token === null) await renew(app)
  const first = await ask(app, path, input)
  if (first.status === 401) await renew(app)
  else if (RETRIED_STATUSES.has(first.status)) await (app.pause ?? pause)(retryDelayMs(first), undefined)
  else return contentOf(first)
  return contentOf(await ask(app, path, input))
}

/** Any call of the api client refreshes the session or, failing that, signs out. */
async function renew({ api }: DownloadContext): Promise<void> {
  await api('GET /api/user', {})
}

async function ask(app: DownloadContext, path: string, input: object): Promise<Response> {
  const { token } = app.session.get()
  const headers = {
    Accept: 'text/csv, application/json',
    Locale: app.language.get().locale,
    Zone: app.page.zone.name,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  }
  const send = app.fetch ?? fetch
  try {
    return await send(path + toQuery({ ...input }), {
      headers,
      credentials: 'include',
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
    })
  } catch {
    throw noReply()
  }
}

async function contentOf(response: Response): Promise<Blob> {
  const content = await response.blob().catch(() => {
    throw noReply()
  })
  if (!response.ok) throw toCallError(response.status, parseBody(await content.text()))
  return content
}

function noReply(): CallError {
  return new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
}
