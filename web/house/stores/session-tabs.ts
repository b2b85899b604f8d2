import type { User } from '#contract/user.ts'

export type SessionNews =
  | { kind: 'signed-in'; token: string; user: User }
  /** Tabs with the old access token use the new token instead of refreshing by themselves. */
  | { kind: 'renewed'; token: string; user: User }
  /** A single tab polls the user and shares the reply with all tabs. */
  | { kind: 'user'; user: User }
  /** A sign-out has begun. The server will close the sockets of all tabs, but the session has not expired. */
  | { kind: 'leaving' }
  | { kind: 'staying' }
  /** `expired` means that the session ended without a sign-out. The login dialog then opens and shows `why`. */
  | { kind: 'signed-out'; expired: boolean; why?: string | undefined }

export type SessionTabs = {
  tell(news: SessionNews): void
  /** `listen` works in the browser only. Before the first listener no message is sent or received. */
  listen(listener: (news: SessionNews) => void): () => void
}

const CHANNEL = 'ringpost-session'

/** Connects the tabs of this origin, including background tabs, by a BroadcastChannel. */
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
