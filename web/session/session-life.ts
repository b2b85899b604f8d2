import { CallError, type Calls } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import type { User } from '#contract/user.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { logFailure } from '#web/house/log-failure.ts'
import type { DialogName } from '#web/house/stores/dialog-store.ts'
import { refetch } from './refetch.ts'

type Tokens = Pick<Calls['POST /api/login']['reply'], 'token' | 'user'>

const SIGN_IN_DIALOGS: readonly DialogName[] = ['login', 'registration', 'verifyEmail', 'faCode', 'forgot', 'loader']

/** The maximum time of a sign-out. A tab that closes during its sign-out sends no further message to other tabs. */
const LEAVING_LIMIT_MS = MINUTE
/** The time at which each page began to sign out, in ms. The server closes the page's socket before it replies. */
const leaving = new WeakMap<AppContext, number>()

export function beginLeaving(app: AppContext): void {
  leaving.set(app, performance.now())
}

/** Refetches queries that were cancelled or refused during the attempted sign-out. */
export function endLeaving(app: AppContext): void {
  leaving.delete(app)
  inBackground(refetch(app.queryClient))
}

export function isLeaving(app: AppContext): boolean {
  return performance.now() - (leaving.get(app) ?? Number.NEGATIVE_INFINITY) < LEAVING_LIMIT_MS
}

/** Uses the token of a sign-in in this or another tab. Data loaded for a visitor is refetched for the user. */
export function takeSession(app: AppContext, { token, user }: Tokens): void {
  if (isOfAnother(app, user)) dropUserData(app)
  leaving.delete(app)
  app.session.set({ status: 'authenticated', token })
  app.queryClient.setQueryData(['user'], user)
  for (const name of SIGN_IN_DIALOGS) app.dialogs.close(name)
  refetchAll(app)
}

/** Begins a session. Throws SERVER_ERROR for a reply without a token. */
export function beginSession(app: AppContext, { token, user }: Tokens): void {
  requireToken(token)
  takeSession(app, { token, user })
  app.tabs.tell({ kind: 'signed-in', token, user })
}

/** Uses a renewed token, unless signed out. Returns true if another user has signed in, so the page is stale. */
export function takeRenewal(app: AppContext, { token, user }: Tokens): boolean {
  if (app.session.get().status === 'unauthenticated') return false
  const changed = isOfAnother(app, user)
  if (changed) dropUserData(app)
  app.session.set({ status: 'authenticated', token })
  app.queryClient.setQueryData(['user'], user)
  if (changed) refetchAll(app)
  return changed
}

/** Uses a renewed token. Returns true if another user has signed in. Throws SERVER_ERROR if the token is missing. */
export function renewSession(app: AppContext, { token, user }: Tokens): boolean {
  requireToken(token)
  const changed = takeRenewal(app, { token, user })
  app.tabs.tell({ kind: 'renewed', token, user })
  return changed
}

/** Checks the token, because only the contract types it. Throws SERVER_ERROR, which is logged (specification 8). */
function requireToken(token: unknown): void {
  if (typeof token === 'string' && token !== '') return
  const error = new CallError({ httpStatus: 500, code: 'SERVER_ERROR', message: '' })
  logFailure('the reply of a sign-in or a refresh has no token', error)
  throw error
}

/** Ends the page's session. Drops all data of the user, and refetches the settings, which may depend on the user. */
export function endSession(app: AppContext): void {
  // A pending identity confirmation is declined, because its user has signed out.
  app.dialogs.state.get().flags.is2fa?.answer(false)
  app.session.set({ status: 'unauthenticated', token: null })
  dropUserData(app)
  refetchAll(app)
}

/**
 * Marks all tabs as signing out before the server ends the session. Calls refused meanwhile do not count as an expired
 * session.
 */
export async function leave(app: AppContext): Promise<void> {
  beginLeaving(app)
  app.tabs.tell({ kind: 'leaving' })
  await app.queryClient.cancelQueries()
}

/** Marks all tabs as signed in again, because the server has not ended the session. */
export function stay(app: AppContext): void {
  endLeaving(app)
  app.tabs.tell({ kind: 'staying' })
}

/** Signs out, first at the server, whose cookie would restore the session if that call failed later. */
export async function signOut(app: AppContext): Promise<void> {
  await leave(app)
  try {
    await app.api('POST /api/logout', {})
  } catch (error) {
    stay(app)
    throw error
  }
  endSession(app)
  app.tabs.tell({ kind: 'signed-out', expired: false })
}

function isOfAnother({ queryClient }: AppContext, user: User): boolean {
  const before = queryClient.getQueryData<User>(['user'])
  return before !== undefined && before.id !== user.id
}

function dropUserData({ queryClient }: AppContext): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
}

function refetchAll(app: AppContext): void {
  // The refetch is not awaited, because each query shows its own failure.
  inBackground(refetch(app.queryClient, { predicate: (query) => query.queryKey[0] !== 'user' }))
}
