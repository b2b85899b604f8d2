import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { PaymentSystemRecord } from '#contract/payment.ts'
import { shortMoney } from '#web/money/amount-text.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { percentWords } from '#web/text/percent-words.ts'

type SystemRowsProps = {
  systems: readonly PaymentSystemRecord[]
  chosen: string
  onChoose: (key: string) => void
}

export function SystemRows({ systems, chosen, onChoose }: SystemRowsProps) {
  const t = useTranslations('topUp')
  const name = useId()
  return (
    <fieldset className="mt-6">
      <legend className="mb-2 font-semibold">{t('how')}</legend>
      <div className="overflow-hidden rounded border border-hairline bg-surface">
        {systems.map((system) => (
          <label
            key={system.key}
            className="grid cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-x-3 border-hairline px-4 py-3 not-first:border-t has-checked:bg-signal-wash has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal"
          >
            <input
              type="radio"
              name={name}
              value={system.key}
              checked={system.key === chosen}
              onChange={() => onChoose(system.key)}
              className="size-5 accent-(--signal)"
            />
            <SystemMark mark={system.mark} />
            <SystemWords system={system} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function SystemWords({ system }: { system: PaymentSystemRecord }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const { form, min, max, currency, fee_percent: fee, fee_by: feeBy, bonus_percent: bonus, minutes } = system
  const limits = t('limits', { min: shortMoney(min, currency, locale), max: shortMoney(max, currency, locale) })
  const feeWords = fee === '0' || feeBy === 'house' ? t('noFee') : t('fee', { percent: percentWords(fee, locale) })
  return (
    <span className="grid gap-x-6 sm:grid-cols-[minmax(0,1fr)_auto]">
      <span className="font-medium">
        {system.name}
        {bonus === '0' ? null : (
          <span className="tabular ml-2 rounded-sm bg-received-wash px-1.5 text-sm font-semibold text-received">
            {t('bonus', { percent: percentWords(bonus, locale) })}
          </span>
        )}
      </span>
      <span className="text-sm text-muted sm:row-span-2 sm:self-center sm:text-right">
        {t(timeWord(minutes), timeValue(minutes))}
        {form === 'voucher' ? null : ` · ${feeWords}`}
      </span>
      <span className="tabular text-sm text-muted">{form === 'voucher' ? t('voucherText') : limits}</span>
    </span>
  )
}

function timeWord(minutes: number): 'atOnce' | 'minutes' | 'hours' | 'days' {
  if (minutes === 0) return 'atOnce'
  if (minutes < 90) return 'minutes'
  return minutes < 2 * 24 * 60 ? 'hours' : 'days'
}

function timeValue(minutes: number): { count: number } {
  if (minutes < 90) return { count: minutes }
  return { count: minutes < 2 * 24 * 60 ? Math.round(minutes / 60) : Math.round(minutes / 60 / 24) }
}
