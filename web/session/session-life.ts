import type { Calls } from '#contract/calls/calls.ts'
import type { User } from '#contract/user.ts'
import type { AppContext } from '#web/app-context.ts'
import type { DialogName } from '#web/dialogs/dialog-store.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from './ask-again.ts'

type Tokens = Pick<Calls['POST /api/login']['reply'], 'token' | 'user'>

/** The dialogs on the way to a session: where there is one, they have nothing left to do. */
const SIGN_IN_DIALOGS: readonly DialogName[] = ['login', 'registration', 'verifyEmail', 'faCode', 'forgot', 'loader']

/** Pages that are being signed out, here or in another tab: their socket is closed before they hear of its end. */
const leaving = new WeakSet<AppContext>()

export function beginLeaving(app: AppContext): void {
  leaving.add(app)
}

export function isLeaving(app: AppContext): boolean {
  return leaving.has(app)
}

/** A sign-in brought a token, here or in another tab. What was loaded for a visitor is loaded again for the user. */
export function takeSession(app: AppContext, { token, user }: Tokens): void {
  if (isOfAnother(app, user)) dropUserData(app)
  leaving.delete(app)
  app.session.set({ status: 'authenticated', token })
  app.queryClient.setQueryData(['user'], user)
  for (const name of SIGN_IN_DIALOGS) app.dialogs.close(name)
  refetchAll(app)
}

/** A sign-in in this tab: the others are signed in with it. */
export function beginSession(app: AppContext, { token, user }: Tokens): void {
  takeSession(app, { token, user })
  app.tabs.tell({ kind: 'signed-in', token, user })
}

/**
 * Only the token is new: nothing that is shown changes. A renewal that comes after the sign-out changes nothing. True
 * when it is the session of somebody else: another tab signed in meanwhile, and what is on the page is no longer theirs.
 */
export function takeRenewal(app: AppContext, { token, user }: Tokens): boolean {
  if (app.session.get().status === 'unauthenticated') return false
  const changed = isOfAnother(app, user)
  if (changed) dropUserData(app)
  app.session.set({ status: 'authenticated', token })
  app.queryClient.setQueryData(['user'], user)
  if (changed) refetchAll(app)
  return changed
}

/** A refresh of this tab brought a new token: the others take it too. True as for `takeRenewal`. */
export function renewSession(app: AppContext, { token, user }: Tokens): boolean {
  const changed = takeRenewal(app, { token, user })
  app.tabs.tell({ kind: 'renewed', token, user })
  return changed
}

/** Nothing of the user stays in memory. Settings are asked for again: some are the user's own. */
export function endSession(app: AppContext): void {
  // Nobody is left to show who he is.
  app.dialogs.state.get().flags.is2fa?.answer(false)
  app.session.set({ status: 'unauthenticated', token: null })
  dropUserData(app)
  refetchAll(app)
}

/** Signs out at the server first: a failure leaves the session as it is, because its cookie would bring it back anyway. */
export async function signOut(app: AppContext): Promise<void> {
  beginLeaving(app)
  app.tabs.tell({ kind: 'leaving' })
  // What is still being asked for would come back as a session that ran out, and open the login dialog.
  await app.queryClient.cancelQueries()
  try {
    await app.api('POST /api/logout', {})
  } catch (error) {
    leaving.delete(app)
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
  // Refetching failures are shown by the queries that have them.
  inBackground(askAgain(app.queryClient, { predicate: (query) => query.queryKey[0] !== 'user' }))
}
