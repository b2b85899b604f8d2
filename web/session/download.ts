import { MINUTE } from '#contract/time.ts'
import { parseBody, toCallError, toQuery } from './api-client.ts'
import { pause, RETRIED_STATUSES, retryDelayMs } from './retry.ts'
import { noReply, renewToken, reported, samePerson, type TokenContext, tokenFetch } from './token-fetch.ts'

/** The time-out is long, because the server streams the file while reading, and a hundred thousand lines take time. */
const FILE_TIMEOUT_MS = 2 * MINUTE

export type DownloadContext = TokenContext & { pause?: typeof pause }

/** Fetches a file by a call, because a link cannot send the access token. Rejects with CallError (specification 8). */
export async function downloadFile(app: DownloadContext, path: string, input: object): Promise<Blob> {
  if (app.session.get().token === null) await renewToken(app)
  const requireSame = samePerson(app)
  const call = `GET ${path}`
  const first = await reported(app, call, () => ask(app, path, input))
  if (first.status === 401) await renewToken(app)
  else if (RETRIED_STATUSES.has(first.status)) await (app.pause ?? pause)(retryDelayMs(first), undefined)
  else return reported(app, call, () => contentOf(first))
  requireSame()
  return reported(app, call, async () => contentOf(await ask(app, path, input)))
}

function ask(app: DownloadContext, path: string, input: object): Promise<Response> {
  return tokenFetch(app, path + toQuery({ ...input }), {
    headers: { Accept: 'text/csv, application/json, */*' },
    signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
  })
}

async function contentOf(response: Response): Promise<Blob> {
  const content = await response.blob().catch(() => {
    throw noReply()
  })
  if (!response.ok) throw toCallError(response.status, parseBody(await content.text()))
  if (content.type.includes('json') && isRefusal(parseBody(await content.text()))) {
    throw toCallError(500, null)
  }
  return content
}

function isRefusal(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && !body.status
}
