import { useEffect } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import type { Fault } from '#web/house/stores/faults.ts'
import { isReported } from './decide-report.ts'

/** Reports errors to Sentry. Inactive without a Sentry DSN. */
export function ErrorReports() {
  const { faults, page } = useAppContext()
  useEffect(() => {
    const { sentryDsn } = page.settings
    if (sentryDsn === '') return undefined
    return faults.follow((fault) => {
      if (!isReported(fault, navigator.userAgent)) return
      report(fault, { dsn: sentryDsn, release: page.buildId }).catch((error: unknown) => {
        // The failure is only logged, because reporting it as a fault would loop.
        logFailure('an error could not be reported', error)
      })
    })
  }, [faults, page])
  return null
}

let reporter: Promise<(fault: Fault) => void> | null = null

/** Sends a report. The library loads with the first one. */
async function report(fault: Fault, settings: { dsn: string; release: string }): Promise<void> {
  reporter ??= import('./send-report.ts').then(({ createReporter }) => createReporter(settings))
  const send = await reporter
  send(fault)
}
