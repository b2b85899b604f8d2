import { useEffect } from 'react'
import { BUILD_CHECK_MS } from '#contract/constants.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import type { Store } from '#web/house/stores/store.ts'

/** Detects a new build, after which web/navigation/pages.ts loads the next page as a document. */
export function useBuildCheck(): void {
  const { page, newBuild } = useAppContext()
  useEffect(() => watchBuild(page.buildId, newBuild), [page, newBuild])
}

export function watchBuild(buildId: string, newBuild: Store<boolean>): () => void {
  let lastAskedAt = 0
  const check = () => {
    lastAskedAt = Date.now()
    findNewBuild(buildId).then(
      (found) => {
        if (!found) return
        newBuild.set(true)
        stop()
      },
      (error: unknown) => logFailure('whether there is a new build could not be asked', error),
    )
  }
  const onFocus = () => {
    if (!document.hidden && Date.now() - lastAskedAt >= FOCUS_PAUSE_MS) check()
  }
  const timer = setInterval(() => {
    if (!document.hidden) check()
  }, BUILD_CHECK_MS)
  document.addEventListener('visibilitychange', onFocus)
  window.addEventListener('focus', onFocus)
  function stop(): void {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onFocus)
    window.removeEventListener('focus', onFocus)
  }
  return stop
}

/** The minimum time between two checks, because focus and visibility events come together and often. */
const FOCUS_PAUSE_MS = 1_000

/** Returns true if a newer build is deployed. A build without its files (during a rollout) does not count. */
async function findNewBuild(buildId: string): Promise<boolean> {
  const latest = await readId('/builds/latest.json')
  if (latest === null || latest === buildId) return false
  return (await readId(`/builds/meta/${latest}.json`)) === latest
}

async function readId(path: string): Promise<string | null> {
  const reply = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store' })
  if (!reply.ok) return null
  const { id } = (await reply.json()) as { id?: unknown }
  return typeof id === 'string' ? id : null
}
