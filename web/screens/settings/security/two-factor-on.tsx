import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SecondFactor } from '#web/account/second-factor.tsx'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { Button } from '#web/ui/button.tsx'
import { TextButton } from '#web/ui/text-button.tsx'

type Intent = 'renew' | 'disable'

export function TwoFactorOn({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const t = useTranslations('settings.twoFactor')
  const [intent, setIntent] = useState<Intent>()
  const carryOut = useIntent(onCodes)
  if (intent === undefined) {
    return (
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setIntent('renew')}>{t('renew')}</Button>
        <Button onClick={() => setIntent('disable')}>{t('disable')}</Button>
      </div>
    )
  }
  return (
    <div className="grid max-w-84 gap-3">
      <p className="font-medium">{t(`${intent}Text`)}</p>
      <SecondFactor key={intent} attempt={(code) => carryOut(intent, code)} field="code" submit={t(intent)} />
      <TextButton className="justify-self-start" onClick={() => setIntent(undefined)}>
        {t('cancel')}
      </TextButton>
    </div>
  )
}

function useIntent(onCodes: (codes: readonly string[]) => void): (intent: Intent, code: string) => Promise<void> {
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const t = useTranslations('settings.twoFactor')
  return async (intent, code) => {
    if (intent === 'renew') {
      const { recovery_codes: codes } = await api('POST /api/v1/user/two-factor/recovery-codes', { code })
      onCodes(codes)
    } else {
      await api('POST /api/v1/user/two-factor/disable', { code })
      alerts.add({ type: 'info', text: t('disabled') })
    }
    await refetch(queryClient, { queryKey: ['security'] })
  }
}
