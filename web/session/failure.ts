import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import { useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { routeNamed } from '#web/routes.ts'
import { decideFailure } from './handle-failure.ts'

export function useFailure(): (error: unknown) => void {
  const { alerts, language, page, queryClient } = useAppContext()
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
          // The alert must not hide our own fault from the console and error listeners.
          if (!(error instanceof CallError)) reportError(error)
          alerts.add({ type: 'error', text: t('serverError') })
          return
        case 'go-to-top-up': {
          const topUp = routeNamed('top-up')
          if (topUp !== undefined) {
            inBackground(navigate(topUp.path))
            return
          }
          const missing = error instanceof CallError ? error.data.missing : undefined
          const currency = queryClient.getQueryData<User>(['user'])?.currency ?? page.zone.currency
          const text =
            typeof missing === 'string'
              ? t('noBalanceMissing', { amount: formatMoney(missing, currency, language.get().locale) })
              : t('noBalance')
          alerts.add({ type: 'error', text })
          return
        }
        default:
          return decision satisfies never
      }
    },
    [alerts, language, navigate, page, queryClient, t],
  )
}
