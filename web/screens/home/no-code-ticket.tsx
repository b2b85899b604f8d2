import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useCurrency } from '#web/ui/initial/price.tsx'

/** Says on a ticket without a code what such a ticket costs. */
export function NoCodeTicket() {
  const t = useTranslations('home')
  const locale = useLocale()
  const currency = useCurrency()
  return (
    <section className="@container">
      <div className="ticket" data-look="ended">
        <div className="px-5 py-4">
          <h2 className="text-lg font-semibold tracking-tight">{t('noCodeTitle')}</h2>
          <p className="mt-1">{t('noCodeText')}</p>
          <p className="mt-2 text-muted">{t('usedText')}</p>
        </div>
        <div className="ticket-stub justify-center">
          <span aria-hidden className="ticket-holes text-ink" style={{ '--left': '0%' }} />
          <p className="tabular text-[2.75rem] leading-none font-semibold tracking-tight">
            {formatMoney('0', currency, locale).replace(/[.,]00/, '')}
          </p>
          <p className="mt-1 text-muted">{t('noCodeStub')}</p>
        </div>
      </div>
    </section>
  )
}
