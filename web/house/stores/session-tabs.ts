import type { User } from '#contract/user.ts'

export type SessionNews =
  | { kind: 'signed-in'; token: string; user: User }
  /** Tabs that hold the old token take the new one without a refresh of their own. */
  | { kind: 'renewed'; token: string; user: User }
  /** One tab's poll, shared with all. */
  | { kind: 'user'; user: User }
  /** The server will close the sockets: that is no expired session. */
  | { kind: 'leaving' }
  /** The sign-out failed. */
  | { kind: 'staying' }
  /** `expired`: nobody asked for it, so the login dialog opens, and says why. */
  | { kind: 'signed-out'; expired: boolean; why?: string | undefined }

export type SessionTabs = {
  tell(news: SessionNews): void
  /** Browser only. Before the first listener nothing is sent or received. */
  listen(listener: (news: SessionNews) => void): () => void
}

const CHANNEL = 'ringpost-session'

/** BroadcastChannel reaches background tabs, too, and only pages of this origin. */
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
