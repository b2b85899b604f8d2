import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { NotificationSettings } from '#contract/notifications/notification.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useAlerts } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { readAmount, writeAmount } from '#web/money/amount-text.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/initial/price.tsx'
import { useChangeSettings } from './use-change-settings.ts'

export function LimitForm({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations('notifications.limits')
  const alerts = useAlerts()
  const change = useChangeSettings()
  const balance = useLimit(settings.balance_limit)
  const price = useLimit(settings.price_limit)
  const { errors, sending, submit } = useSubmit({
    names: ['balance', 'price'],
    check: () => ({
      ...(balance.isWrong && { balance: t('wrong') }),
      ...(price.isWrong && { price: t('wrong') }),
    }),
    send: save,
  })
  async function save(): Promise<void> {
    const saved = await change({ balance_limit: balance.amount, price_limit: price.amount })
    if (saved) alerts.add({ type: 'info', text: t('saved') })
  }
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(submit(event))}>
        <LimitField name="balance" limit={balance} error={errors.balance} />
        <LimitField name="price" limit={price} error={errors.price} />
        <Button type="submit" className="justify-self-start" aria-disabled={sending}>
          {t('save')}
        </Button>
      </form>
    </SettingsGroup>
  )
}

type Limit = ReturnType<typeof useLimit>

/** Holds the typed limit. `amount` is null for an empty field and for a malformed amount. */
function useLimit(stored: string | null) {
  const locale = useLocale()
  const [text, setText] = useState(stored === null ? '' : writeAmount(stored, locale))
  const amount = readAmount(text, locale)
  return { text, setText, amount, isWrong: amount === null && text.trim() !== '' }
}

type LimitFieldProps = { name: 'balance' | 'price'; limit: Limit; error: string | undefined }

function LimitField({ name, limit, error }: LimitFieldProps) {
  const t = useTranslations('notifications.limits')
  const sign = CURRENCY_SIGNS[useCurrency()]
  const textId = useId()
  return (
    <div>
      <TextField
        name={name}
        label={t(name, { sign })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        className="tabular"
        error={error}
        {...(error === undefined && { 'aria-describedby': textId })}
        value={limit.text}
        onChange={({ currentTarget }) => limit.setText(currentTarget.value)}
      />
      <p id={textId} className="mt-1.5 text-sm text-muted">
        {t(`${name}Text`)}
      </p>
    </div>
  )
}
