import { CallError } from '#contract/calls/calls.ts'
import { type AppContext, userIdOf } from '#web/house/app-context.ts'

export type TokenContext = Pick<AppContext, 'api' | 'session' | 'queryClient' | 'language' | 'page' | 'faults'> & {
  fetch?: typeof fetch
}

/** Fetches non-JSON with the headers of API calls. Rejects with NO_REPLY without a response. */
export async function tokenFetch(app: TokenContext, url: string, init: RequestInit): Promise<Response> {
  const { token } = app.session.get()
  const headers = new Headers(init.headers)
  headers.set('Locale', app.language.get().locale)
  headers.set('Zone', app.page.zone.name)
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const send = app.fetch ?? fetch
  try {
    return await send(url, { ...init, headers, credentials: 'include' })
  } catch {
    throw noReply()
  }
}

/** Renews the token by an API call, because the API client refreshes the session or, failing that, signs out. */
export async function renewToken({ api }: TokenContext): Promise<void> {
  await api('GET /api/user', {})
}

/** Returns a check that throws if another user has signed in since this call. */
export function samePerson(app: TokenContext): () => void {
  const askedBy = userIdOf(app)
  return () => {
    if (userIdOf(app) !== askedBy) throw new CallError({ httpStatus: 401, code: 'UNAUTHENTICATED', message: '' })
  }
}

export async function reported<T>({ faults }: TokenContext, call: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    faults.tell({ error, call })
    throw error
  }
}

export function noReply(): CallError {
  return new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
}
