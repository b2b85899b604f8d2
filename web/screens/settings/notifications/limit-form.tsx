import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { NotificationSettings } from '#contract/notifications/notification.ts'
import { useAlerts } from '#web/app-context.ts'
import { readAmount, writeAmount } from '#web/buying/preorder/preorder-terms.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/first/price.tsx'
import { useChangeSettings } from './use-change-settings.ts'

/** Empty fields are no limits. */
export function LimitForm({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations('notifications.limits')
  const alerts = useAlerts()
  const change = useChangeSettings()
  const { pending, once } = useSingleFlight()
  const balance = useLimit(settings.balance_limit)
  const price = useLimit(settings.price_limit)
  async function save(): Promise<void> {
    const saved = await change({ balance_limit: balance.amount, price_limit: price.amount })
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
          const wrong = [balance, price].filter((limit) => !limit.check())
          if (wrong.length === 0) once(save)
          else document.getElementById(wrong[0]?.id ?? '')?.focus()
        }}
      >
        <LimitField name="balance" limit={balance} />
        <LimitField name="price" limit={price} />
        <Button type="submit" className="justify-self-start" aria-disabled={pending}>
          {t('save')}
        </Button>
      </form>
    </SettingsGroup>
  )
}

type Limit = ReturnType<typeof useLimit>

/** `amount`: null of an empty field, and of one that is wrong. */
function useLimit(stored: string | null) {
  const locale = useLocale()
  const id = useId()
  const [text, setText] = useState(stored === null ? '' : writeAmount(stored, locale))
  const [wrong, setWrong] = useState(false)
  const amount = readAmount(text, locale)
  const check = (): boolean => {
    const isWrong = amount === null && text.trim() !== ''
    setWrong(isWrong)
    return !isWrong
  }
  const type = (typed: string): void => {
    setText(typed)
    setWrong(false)
  }
  return { id, text, wrong, amount, check, type }
}

function LimitField({ name, limit }: { name: 'balance' | 'price'; limit: Limit }) {
  const t = useTranslations('notifications.limits')
  const sign = CURRENCY_SIGNS[useCurrency()]
  const textId = `${limit.id}-text`
  return (
    <div>
      <TextField
        id={limit.id}
        label={t(name, { sign })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        className="tabular"
        error={limit.wrong ? t('wrong') : undefined}
        {...(limit.wrong ? {} : { 'aria-describedby': textId })}
        value={limit.text}
        onChange={({ currentTarget }) => limit.type(currentTarget.value)}
      />
      <p id={textId} className="mt-1.5 text-sm text-muted">
        {t(`${name}Text`)}
      </p>
    </div>
  )
}
