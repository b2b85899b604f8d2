import { useEffect } from 'react'
import { useApi } from '#web/app-context.ts'
import { logFailure } from '#web/log-failure.ts'

const KEY = 'connected'

/** Asks for the anonymous key of this browser, once a tab: its cookie `secretKey` lives on from then (product.md section 7). */
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
