import { useEffect } from 'react'
import { useApi } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'

const KEY = 'connected'

/** Requests an anonymous key of this browser as the cookie `secretKey` (specification 7), once per tab. */
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
