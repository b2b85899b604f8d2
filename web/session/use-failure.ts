import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { topUpPath } from '#web/navigation/top-up-path.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { decideFailure } from './decide-failure.ts'

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
          // Console and error listeners get our own faults, too, which an alert alone would hide.
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
