import { useEffect } from 'react'
import { FRESH_COOKIE, FRESH_SECONDS, LISTEN_DELAY_MS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import { type AppContext, useAppContext, useSession, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { setCookie } from '#web/session/cookie.ts'
import { refetch } from '#web/session/refetch.ts'
import { isLeaving } from '#web/session/session-life.ts'

const REOPEN_DELAY_MS = 5 * SECOND

export function LiveLink() {
  const app = useAppContext()
  const { status } = useSession()
  const user = useUser()
  const userId = user?.id
  const isOff = status !== 'authenticated' || user?.blocked === true
  useEffect(() => {
    if (isOff || userId === undefined) return
    return keepOpen(app, userId)
  }, [app, isOff, userId])
  return null
}

function keepOpen(app: AppContext, userId: number): () => void {
  let close = () => app.live.state.set('off')
  let gone = false
  let timer: ReturnType<typeof setTimeout>

  function openAfter(delayMs: number): void {
    timer = setTimeout(() => {
      openLater(app, userId, onRefused).then((opened) => {
        if (gone) opened.close()
        else close = opened.close
      }, onUnloaded)
    }, delayMs)
  }
  function onUnloaded(error: unknown): void {
    reportError(error)
    if (gone) return
    app.live.state.set('offline')
    openAfter(REOPEN_DELAY_MS)
  }
  /** Refetches the user, which signs this tab out if the session has ended elsewhere. Otherwise reopens the socket. */
  async function onRefused(): Promise<void> {
    // The server closes the socket of a page that signs out, but the sign-out may still fail.
    if (isLeaving(app)) {
      timer = setTimeout(() => inBackground(onRefused()), REOPEN_DELAY_MS)
      return
    }
    await app.queryClient.refetchQueries({ queryKey: ['user'] })
    if (gone) return
    close()
    openAfter(REOPEN_DELAY_MS)
  }
  openAfter(LISTEN_DELAY_MS)
  return () => {
    gone = true
    clearTimeout(timer)
    close()
  }
}

/** The server must not answer from a stand-by of its database that lacks what was just told. */
function markFresh(): void {
  setCookie(FRESH_COOKIE, '1', FRESH_SECONDS)
}

/** Opens the live channel. Its client and the reducer load on demand, because visitors never need them. */
async function openLater(app: AppContext, userId: number, onRefused: () => Promise<void>) {
  const [{ openLive }, { applyEventToCache, LIVE_KEYS }] = await Promise.all([
    import('./connection.ts'),
    import('./apply-to-cache.ts'),
  ])
  const fetchAgain = () => {
    app.live.opened()
    if (isLeaving(app)) return
    for (const key of LIVE_KEYS) inBackground(refetch(app.queryClient, { queryKey: [key] }))
  }
  return openLive({
    realtime: app.page.settings.realtime,
    userId,
    api: app.api,
    onState: (state) => {
      if (state === 'connected') markFresh()
      app.live.state.set(state)
    },
    onRefused: () => inBackground(onRefused()),
    locale: () => app.language.get().locale,
    onEvent: (event) => {
      markFresh()
      if (event.name === 'EventsMissed') fetchAgain()
      applyEventToCache(app.queryClient, event)
      app.live.emit(event)
    },
    onOpen: fetchAgain,
  })
}
