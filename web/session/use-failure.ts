import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { topUpPath } from '#web/navigation/top-up-path.ts'
import { useNavigate } from '#web/navigation/use-page.ts'

/** Replies with these statuses carry a message for the user. A reply without a message counts as a server error. */
const STATUSES_WITH_WORDS = new Set([400, 401, 403, 409, 413, 415, 422, 429, 503])

export function useFailure(): (error: unknown) => void {
  const { alerts } = useAppContext()
  const navigate = useNavigate()
  const t = useTranslations('layout')
  return useCallback(
    (error: unknown) => {
      const decision = decideFailure(error, navigator.onLine)
      switch (decision) {
        case 'nothing':
          return
        case 'alert-message':
          alerts.add({ type: 'error', text: error instanceof Error ? error.message : t('serverError') })
          return
        case 'alert-offline':
          alerts.add({ type: 'error', text: t('offline'), id: 'offline' })
          return
        case 'alert-server-error':
          // Errors of our own code also go to console and error listeners, because an alert alone would hide them.
          if (!(error instanceof CallError)) reportError(error)
          // The fixed id merges alerts, because several parts of a page may fail at once.
          alerts.add({ type: 'error', text: t('serverError'), id: 'server-error' })
          return
        case 'go-to-top-up': {
          const missing = error instanceof CallError ? error.data.missing : undefined
          inBackground(navigate(topUpPath(typeof missing === 'string' ? missing : null)))
          return
        }
        default:
          return decision satisfies never
      }
    },
    [alerts, navigate, t],
  )
}

type FailureDecision = 'nothing' | 'alert-message' | 'alert-server-error' | 'alert-offline' | 'go-to-top-up'

/** Decides how to treat a failed call (specification 8). An expired session needs no alert: a dialog is open. */
export function decideFailure(error: unknown, online: boolean): FailureDecision {
  if (error instanceof DOMException && error.name === 'AbortError') return 'nothing'
  // A missing reply or a failed import is not the server's fault if there is no network.
  if (!online && (!(error instanceof CallError) || error.code === 'NO_REPLY')) return 'alert-offline'
  if (!(error instanceof CallError)) return 'alert-server-error'
  // A 404 has no alert. For a refusal with status 200, the API client has already shown the message.
  if (error.httpStatus === 404 || (error.httpStatus === 200 && error.message !== '')) return 'nothing'
  if (error.code === 'NO_NUMBERS') return 'nothing'
  if (error.code === 'NO_BALANCE') return 'go-to-top-up'
  if (error.code === 'UNAUTHENTICATED') return 'nothing'
  // The user closed the confirmation dialog, so no alert is needed.
  if (error.code === 'CONFIRM_PASSWORD') return 'nothing'
  const written = STATUSES_WITH_WORDS.has(error.httpStatus) && error.message !== ''
  return written ? 'alert-message' : 'alert-server-error'
}
