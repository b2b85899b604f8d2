import { CallError, type Calls } from '#contract/calls.ts'
import type { Frame } from '../frame.ts'

/** A sign-in or a refresh brought a token. What was loaded for a visitor is loaded again for the user. */
export function beginSession(frame: Frame, reply: Calls['POST /api/login']['reply']): void {
  frame.session.set({ status: 'authenticated', token: reply.token })
  frame.queryClient.setQueryData(['user'], reply.user)
  refetchAll(frame)
}

/** Only the token is new: nothing that is shown changes. A renewal that comes after the sign-out changes nothing. */
export function renewSession(frame: Frame, reply: Calls['POST /api/refresh']['reply']): void {
  if (frame.session.get().status === 'unauthenticated') return
  frame.session.set({ status: 'authenticated', token: reply.token })
  frame.queryClient.setQueryData(['user'], reply.user)
}

/** Nothing of the user stays in memory. Settings are asked for again: some are the user's own. */
export function endSession(frame: Frame): void {
  frame.session.set({ status: 'unauthenticated', token: null })
  frame.queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
  refetchAll(frame)
}

/** Signs out at the server first: a failure leaves the session as it is, because its cookie would bring it back anyway. */
export async function signOut(frame: Frame): Promise<void> {
  try {
    await frame.api('POST /api/logout', {})
  } catch (error) {
    const isOver = error instanceof CallError && error.httpStatus === 401
    if (!isOver) throw error
  }
  endSession(frame)
}

function refetchAll(frame: Frame): void {
  // Refetching failures are shown by the queries that have them.
  void frame.queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'user' })
}
