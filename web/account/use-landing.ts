import { useEffect, useRef } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'
import { useFailure } from '#web/session/use-failure.ts'

const CARRIERS = /^\/(?:check\/reset-password|auth\/[^/]+\/(?:link-)?callback)\/?$/

/** Handles a provider's redirect, a mailed link or a referral in the address bar, each only once. */
export function useLanding(): void {
  const app = useAppContext()
  const navigate = useNavigate()
  const fail = useFailure()
  const { pathname, search, hash, key } = useLocation()
  const handled = useRef<string>(undefined)
  useEffect(() => {
    if (handled.current === key || !bringsSomething(pathname, search)) return
    handled.current = key
    import('./landing.ts')
      .then(({ handleLandingAddress }) => handleLandingAddress({ app, navigate, fail }, { pathname, search, hash }))
      .catch(reportError)
  }, [app, navigate, fail, pathname, search, hash, key])
}

function bringsSomething(pathname: string, search: string): boolean {
  if (CARRIERS.test(pathname)) return true
  const names = [...new URLSearchParams(search).keys()]
  // The query parameter `login` is handled before `ref` and `utm_*`, because each handler changes the address bar.
  return !names.includes('login') && names.some((name) => name === 'ref' || name.startsWith('utm_'))
}
