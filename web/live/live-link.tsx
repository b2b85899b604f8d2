import { useEffect } from 'react'
import { LISTEN_DELAY_MS } from '#contract/constants.ts'
import { type Frame, useFrame, useSession, useUser } from '../frame.ts'

/** Keeps the live connection open while somebody is signed in. Renders nothing. */
export function LiveLink() {
  const frame = useFrame()
  const { status } = useSession()
  const userId = useUser()?.id
  useEffect(() => {
    if (status !== 'authenticated' || userId === undefined) return
    let close = () => frame.live.state.set('off')
    let gone = false
    const timer = setTimeout(() => {
      openLater(frame, userId).then((opened) => {
        if (gone) opened.close()
        else close = opened.close
      }, reportError)
    }, LISTEN_DELAY_MS)
    return () => {
      gone = true
      clearTimeout(timer)
      close()
    }
  }, [frame, status, userId])
  return null
}

/** The client of the protocol and the reducer are loaded when they are needed: visitors never load them. */
async function openLater(frame: Frame, userId: number) {
  const [{ openLive }, { applyEventToCache }] = await Promise.all([
    import('./connection.ts'),
    import('./apply-to-cache.ts'),
  ])
  return openLive({
    appKey: frame.page.settings.realtime.key,
    userId,
    api: frame.api,
    onState: frame.live.state.set,
    onEvent: (event) => {
      applyEventToCache(frame.queryClient, event)
      frame.live.emit(event)
    },
    onOpen: () => {
      void frame.queryClient.invalidateQueries({ queryKey: ['user'] })
      void frame.queryClient.invalidateQueries({ queryKey: ['active-numbers'] })
    },
  })
}
