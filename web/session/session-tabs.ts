import type { User } from '#contract/user.ts'

/** What one tab tells the others of the same browser about the session they share. */
export type SessionNews =
  | { kind: 'signed-in'; token: string; user: User }
  /** The same session with a fresh token: whoever still has the old one need not ask for its own. */
  | { kind: 'renewed'; token: string; user: User }
  /** Asked for by one tab for all of them. */
  | { kind: 'user'; user: User }
  /** A person is signing out: the socket that closes now is no session that ran out. */
  | { kind: 'leaving' }
  /** `expired`: nobody wished it, so the login dialog opens. */
  | { kind: 'signed-out'; expired: boolean }

export type SessionTabs = {
  tell(news: SessionNews): void
  /** Called in the browser alone, as long as the page lives; before that nothing is told or heard. Returns the way to stop. */
  listen(listener: (news: SessionNews) => void): () => void
}

const CHANNEL = 'ringpost-session'

/** Messages reach tabs in the background too, and only pages of this origin. */
export function createSessionTabs(): SessionTabs {
  const listeners = new Set<(news: SessionNews) => void>()
  let channel: BroadcastChannel | null = null
  return {
    tell: (news) => channel?.postMessage(news),
    listen: (listener) => {
      listeners.add(listener)
      if (channel === null) {
        channel = new BroadcastChannel(CHANNEL)
        channel.onmessage = ({ data }: MessageEvent<SessionNews>) => {
          for (const each of listeners) each(data)
        }
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        channel?.close()
        channel = null
      }
    },
  }
}
