import { useEffect } from 'react'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'

/** Runs visit counters once per document, never for members. The CSP allows them by hash (specification 7). */
export function Counter() {
  const api = useApi()
  const { page } = useAppContext()
  useEffect(() => {
    if (page.session.status === 'authenticated' || asked) return
    asked = true
    api('GET /api/util/counter', {}).then(
      ({ code }) => {
        for (const text of code) {
          const script = document.createElement('script')
          script.textContent = text
          document.head.append(script)
        }
      },
      (error: unknown) => logFailure('the counters could not be had', error),
    )
  }, [api, page])
  return null
}

let asked = false
