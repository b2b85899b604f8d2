import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { NotificationSettings } from '#contract/notifications/notification.ts'
import { useAlerts, useUser } from '#web/app-context.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useChangeSettings } from './use-change-settings.ts'

const SIGNS = { rub: '₽', usd: '$' } as const

/** An empty field is no limit. */
export function LimitForm({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations('notifications.limits')
  const alerts = useAlerts()
  const change = useChangeSettings()
  const { pending, once } = useSingleFlight()
  const sign = SIGNS[useUser()?.currency ?? 'rub']
  const [balance, setBalance] = useState(settings.balance_limit ?? '')
  const [price, setPrice] = useState(settings.price_limit ?? '')
  async function save(): Promise<void> {
    const saved = await change({ balance_limit: readAmount(balance), price_limit: readAmount(price) })
    if (saved) alerts.add({ type: 'info', text: t('saved') })
  }
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <form
        noValidate
        method="post"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          once(save)
        }}
      >
        <TextField
          label={t('balance', { sign })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={balance}
          onChange={({ currentTarget }) => setBalance(currentTarget.value)}
        />
        <TextField
          label={t('price', { sign })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={price}
          onChange={({ currentTarget }) => setPrice(currentTarget.value)}
        />
        <Button type="submit" className="justify-self-start" aria-disabled={pending}>
          {t('save')}
        </Button>
      </form>
    </SettingsGroup>
  )
}

/** As Russians write it, too. */
function readAmount(text: string): string | null {
  const amount = text.replaceAll(/\s/g, '').replace(',', '.')
  return amount === '' ? null : amount
}
