import { useEffect } from 'react'
import { isBot } from '#contract/bots.ts'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import type { Fault } from '#web/house/stores/faults.ts'

/** The statuses that are shown and reported (product.md, section 8). 0 is no reply; proxies send 502 and 504. */
const REPORTED_STATUSES = new Set([0, 403, 409, 500, 502, 504])

export function ErrorReports() {
  const { faults, page } = useAppContext()
  useEffect(() => {
    const { sentryDsn } = page.settings
    if (sentryDsn === '') return undefined
    return faults.follow((fault) => {
      if (!isReported(fault, navigator.userAgent)) return
      report(fault, { dsn: sentryDsn, release: page.buildId }).catch((error: unknown) => {
        // A failed report is only logged, because reporting the failure would loop.
        logFailure('an error could not be reported', error)
      })
    })
  }, [faults, page])
  return null
}

let reporter: Promise<(fault: Fault) => void> | null = null

async function report(fault: Fault, settings: { dsn: string; release: string }): Promise<void> {
  reporter ??= import('./send-report.ts').then(({ createReporter }) => createReporter(settings))
  const send = await reporter
  send(fault)
}

/** Returns true if a fault is reported: not 422 (wrong input), 401 (ended session) or 503 (planned work). */
export function isReported({ error }: Fault, userAgent: string): boolean {
  if (isBot(userAgent)) return false
  if (error instanceof CallError) return REPORTED_STATUSES.has(error.httpStatus)
  return !(error instanceof DOMException && error.name === 'AbortError')
}
