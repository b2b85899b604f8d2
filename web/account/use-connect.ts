import { useEffect } from 'react'
import { useApi } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'

const KEY = 'connected'

/** Gets an anonymous key of this browser into the cookie `secretKey` (specification 7). Runs once per tab. */
export function useConnect(): void {
  const api = useApi()
  useEffect(() => {
    if (sessionStorage.getItem(KEY) !== null) return
    sessionStorage.setItem(KEY, '1')
    api('GET /api/connect', {}).catch((error: unknown) => {
      sessionStorage.removeItem(KEY)
      logFailure('the key of this browser could not be had', error)
    })
  }, [api])
}
