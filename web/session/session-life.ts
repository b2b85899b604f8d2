import type { Calls } from '#contract/calls/calls.ts'
import type { User } from '#contract/user.ts'
import type { DialogName } from '#web/dialogs/dialog-store.ts'
import type { Frame } from '#web/frame.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from './ask-again.ts'

type Tokens = Pick<Calls['POST /api/login']['reply'], 'token' | 'user'>

/** The dialogs on the way to a session: where there is one, they have nothing left to do. */
const SIGN_IN_DIALOGS: readonly DialogName[] = ['login', 'registration', 'verifyEmail', 'faCode', 'forgot', 'loader']

/** Pages that are being signed out, here or in another tab: their socket is closed before they hear of its end. */
const leaving = new WeakSet<Frame>()

export function beginLeaving(frame: Frame): void {
  leaving.add(frame)
}

export function isLeaving(frame: Frame): boolean {
  return leaving.has(frame)
}

/** A sign-in brought a token, here or in another tab. What was loaded for a visitor is loaded again for the user. */
export function takeSession(frame: Frame, { token, user }: Tokens): void {
  if (isOfAnother(frame, user)) dropUserData(frame)
  leaving.delete(frame)
  frame.session.set({ status: 'authenticated', token })
  frame.queryClient.setQueryData(['user'], user)
  for (const name of SIGN_IN_DIALOGS) frame.dialogs.close(name)
  refetchAll(frame)
}

/** A sign-in in this tab: the others are signed in with it. */
export function beginSession(frame: Frame, { token, user }: Tokens): void {
  takeSession(frame, { token, user })
  frame.tabs.tell({ kind: 'signed-in', token, user })
}

/**
 * Only the token is new: nothing that is shown changes. A renewal that comes after the sign-out changes nothing. True
 * when it is the session of somebody else: another tab signed in meanwhile, and what is on the page is no longer theirs.
 */
export function takeRenewal(frame: Frame, { token, user }: Tokens): boolean {
  if (frame.session.get().status === 'unauthenticated') return false
  const changed = isOfAnother(frame, user)
  if (changed) dropUserData(frame)
  frame.session.set({ status: 'authenticated', token })
  frame.queryClient.setQueryData(['user'], user)
  if (changed) refetchAll(frame)
  return changed
}

/** A refresh of this tab brought a new token: the others take it too. True as for `takeRenewal`. */
export function renewSession(frame: Frame, { token, user }: Tokens): boolean {
  const changed = takeRenewal(frame, { token, user })
  frame.tabs.tell({ kind: 'renewed', token, user })
  return changed
}

/** Nothing of the user stays in memory. Settings are asked for again: some are the user's own. */
export function endSession(frame: Frame): void {
  // Nobody is left to show who he is.
  frame.dialogs.state.get().flags.is2fa?.answer(false)
  frame.session.set({ status: 'unauthenticated', token: null })
  dropUserData(frame)
  refetchAll(frame)
}

/** Signs out at the server first: a failure leaves the session as it is, because its cookie would bring it back anyway. */
export async function signOut(frame: Frame): Promise<void> {
  beginLeaving(frame)
  frame.tabs.tell({ kind: 'leaving' })
  // What is still being asked for would come back as a session that ran out, and open the login dialog.
  await frame.queryClient.cancelQueries()
  try {
    await frame.api('POST /api/logout', {})
  } catch (error) {
    leaving.delete(frame)
    throw error
  }
  endSession(frame)
  frame.tabs.tell({ kind: 'signed-out', expired: false })
}

function isOfAnother({ queryClient }: Frame, user: User): boolean {
  const before = queryClient.getQueryData<User>(['user'])
  return before !== undefined && before.id !== user.id
}

function dropUserData({ queryClient }: Frame): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
}

function refetchAll(frame: Frame): void {
  // Refetching failures are shown by the queries that have them.
  inBackground(askAgain(frame.queryClient, { predicate: (query) => query.queryKey[0] !== 'user' }))
}
