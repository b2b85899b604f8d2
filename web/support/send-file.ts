import type { FileReply, SupportFile } from '#contract/support/support.ts'
import { MINUTE } from '#contract/time.ts'
import { parseBody, toCallError } from '#web/session/api-client.ts'
import { pause, retryDelayMs } from '#web/session/retry.ts'
import { renewToken, reported, samePerson, type TokenContext, tokenFetch } from '#web/session/token-fetch.ts'

const UPLOAD_CALL = 'POST /api/v1/support/files'
/** The time-out is longer than the time for which the server waits for an upload. */
const UPLOAD_TIMEOUT_MS = 5 * MINUTE

/** Uploads a file. Send one at a time, as the server accepts one per person. A refusal throws a CallError. */
export async function sendFile(app: TokenContext, file: File): Promise<SupportFile> {
  if (app.session.get().token === null) await renewToken(app)
  const requireSame = samePerson(app)
  const ask = () => reported(app, UPLOAD_CALL, () => send(app, file))
  let response = await ask()
  if (response.status === 401) {
    await renewToken(app)
    requireSame()
    response = await ask()
  } else if (response.status === 429 || response.status === 503) {
    await pause(retryDelayMs(response), undefined)
    requireSame()
    response = await ask()
  }
  const body = parseBody(await response.text().catch(() => ''))
  return reported(app, UPLOAD_CALL, async () => {
    if (!response.ok) throw toCallError(response.status, body)
    if (!isTaken(body)) throw toCallError(500, null)
    return body.data
  })
}

/** Returns true if the server took the file. `status` is enough, because the server checks its own replies. */
function isTaken(body: unknown): body is FileReply {
  return typeof body === 'object' && body !== null && 'status' in body && body.status === true
}

function send(app: TokenContext, file: File): Promise<Response> {
  return tokenFetch(app, '/api/v1/support/files', {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': file.type === '' ? 'application/octet-stream' : file.type,
      'File-Name': encodeURIComponent(file.name.toWellFormed()),
    },
    body: file,
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  })
}
