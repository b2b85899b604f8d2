import { SESSION_REFRESH_MS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import type { User } from '#contract/user.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'

/** A tab that receives another tab's reply delays its own poll by a random time, so that one tab polls for all. */
const MIN_GRACE_MS = 2 * SECOND
const GRACE_SPREAD_MS = 4 * SECOND
/** Focus and visibility events come together, and one request is enough for both. */
const ASKED_JUST_NOW_MS = SECOND

/** Polls the user to detect a session that ended elsewhere. A single tab polls for all, until it closes or freezes. */
export function keepSessionFresh({ queryClient, tabs }: Pick<AppContext, 'queryClient' | 'tabs'>): () => void {
  const graceMs = MIN_GRACE_MS + Math.random() * GRACE_SPREAD_MS
  let timer: ReturnType<typeof setTimeout>
  let askedAt = 0

  function plan(extraMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => inBackground(ask()), SESSION_REFRESH_MS + extraMs)
  }
  async function ask(): Promise<void> {
    askedAt = Date.now()
    plan(0)
    await queryClient.refetchQueries({ queryKey: ['user'] }, { cancelRefetch: false })
    const state = queryClient.getQueryState<User>(['user'])
    // A failed poll says nothing about the session. The next poll tries again.
    if (state?.status === 'success' && state.data !== undefined) tabs.tell({ kind: 'user', user: state.data })
  }
  function askWhenSeen(): void {
    if (document.hidden || Date.now() - askedAt < ASKED_JUST_NOW_MS) return
    inBackground(ask())
  }

  const deafen = tabs.listen(({ kind }) => (kind === 'user' || kind === 'renewed' ? plan(graceMs) : undefined))
  window.addEventListener('focus', askWhenSeen)
  document.addEventListener('visibilitychange', askWhenSeen)
  plan(0)
  return () => {
    clearTimeout(timer)
    deafen()
    window.removeEventListener('focus', askWhenSeen)
    document.removeEventListener('visibilitychange', askWhenSeen)
  }
}
