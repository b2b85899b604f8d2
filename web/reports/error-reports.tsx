import { useEffect } from 'react'
import { useAppContext } from '#web/app-context.ts'
import { logFailure } from '#web/log-failure.ts'
import { isReported } from './decide-report.ts'
import type { Fault } from './faults.ts'

/** Reports what goes wrong in this browser, when there is somewhere to report it to. Renders nothing. */
export function ErrorReports() {
  const { faults, page } = useAppContext()
  useEffect(() => {
    const { sentryDsn } = page.settings
    if (sentryDsn === '') return undefined
    return faults.follow((fault) => {
      if (!isReported(fault, navigator.userAgent)) return
      report(fault, { dsn: sentryDsn, release: page.buildId }).catch((error: unknown) => {
        // Not told as a fault: that would come back here.
        logFailure('an error could not be reported', error)
      })
    })
  }, [faults, page])
  return null
}

let reporter: Promise<(fault: Fault) => void> | null = null

/** The library is fetched with the first thing to report. */
async function report(fault: Fault, settings: { dsn: string; release: string }): Promise<void> {
  reporter ??= import('./send-report.ts').then(({ createReporter }) => createReporter(settings))
  const send = await reporter
  send(fault)
}
