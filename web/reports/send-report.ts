import { BrowserClient, defaultStackParser, type ErrorEvent, makeFetchTransport, Scope } from '@sentry/browser'
import { CallError } from '#contract/calls/calls.ts'
import type { Fault } from '#web/house/stores/faults.ts'
import { scrubText, scrubUrl } from './scrub.ts'

export type Reporter = (fault: Fault) => void

/** The maximum number of reports that a page sends. Repeated errors are reported once. */
const MAX_REPORTS = 20

/** Creates a reporter without Sentry's integrations, which record clicks and calls. No report identifies a user. */
export function createReporter({ dsn, release }: { dsn: string; release: string }): Reporter {
  const client = new BrowserClient({
    dsn,
    release,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    sendClientReports: false,
    beforeSend: scrubEvent,
  })
  const scope = new Scope()
  scope.setClient(client)
  scope.setTag('role', 'user')
  client.init()
  const told = new Set<string>()
  return (fault) => {
    const name = nameOf(fault)
    if (told.has(name) || told.size >= MAX_REPORTS) return
    told.add(name)
    const tags = { page: scrubUrl(location.pathname), ...(fault.call !== undefined && { call: fault.call }) }
    const { error } = fault
    if (!(error instanceof CallError)) {
      scope.clone().setTags(tags).captureException(error)
      return
    }
    // The report of a refused call has only the error code, because the server's error text may name the user.
    scope
      .clone()
      .setTags({ ...tags, status: String(error.httpStatus), code: error.code })
      .setFingerprint([name])
      .captureMessage(name, 'error')
  }
}

function nameOf({ error, call = 'a call' }: Fault): string {
  if (error instanceof CallError) return `${call}: ${error.httpStatus} ${error.code}`
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
}

export function scrubEvent(event: ErrorEvent): ErrorEvent {
  const { user: _user, breadcrumbs: _breadcrumbs, request: _request, extra: _extra, ...rest } = event
  const scrubbed: ErrorEvent = { ...rest }
  // A report with a fingerprint has our own text of API call and status. Scrubbing would only hide the status.
  if (typeof event.message === 'string' && event.fingerprint === undefined) scrubbed.message = scrubText(event.message)
  for (const exception of scrubbed.exception?.values ?? []) {
    if (exception.value !== undefined) exception.value = scrubText(exception.value)
    for (const frame of exception.stacktrace?.frames ?? []) {
      if (frame.filename !== undefined) frame.filename = frame.filename.split(/[?#]/)[0] ?? ''
      delete frame.vars
    }
  }
  return scrubbed
}
