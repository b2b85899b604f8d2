import { useLocale, useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import { paymentPath } from '#contract/payment.ts'
import type { About } from '#contract/support/support.ts'
import { Link } from '#web/navigation/link.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function AboutLine({ about }: { about: About }) {
  const t = useTranslations('support')
  const nameOf = useAboutNames()
  return (
    <div
      data-about={about.kind}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded border border-dashed border-edge/60 px-4 py-3"
    >
      {about.kind === 'payment' ? null : <Mark service={about.service} size="small" />}
      <p className="min-w-0 flex-1 leading-tight">
        <span className="block font-medium wrap-anywhere">{nameOf(about)}</span>
        <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-[14px] text-muted">
          {about.kind === 'payment' ? null : (
            <>
              <Flag iso2={about.country.iso2} size="tiny" />
              {about.country.name}
            </>
          )}
          {/* The separating dot is inside the time, because otherwise it could end the line before the time. */}
          <LocalMoment
            at={about.created_at}
            className={about.kind === 'payment' ? '' : "before:pr-1.5 before:content-['·']"}
          />
        </span>
      </p>
      <p className="text-right">
        <AboutSum about={about} />
        <Link to={pathOf(about)} className={`inline-flex min-h-10 items-center text-[14px] ${TEXT_BUTTON_LOOK}`}>
          {t(`see.${about.kind}`)}
        </Link>
      </p>
    </div>
  )
}

function AboutSum({ about }: { about: About }) {
  const t = useTranslations('support')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, about.currency, locale)
  if (about.kind === 'payment' || about.refunded === null) {
    const sum = about.kind === 'payment' ? about.amount : about.price
    return <span className="tabular block font-semibold whitespace-nowrap">{money(sum)}</span>
  }
  return (
    <>
      {about.refunded === about.price ? null : (
        <span className="tabular block whitespace-nowrap text-muted">{money(about.price)}</span>
      )}
      <span className="tabular block font-semibold text-received">
        {t('refunded', { amount: money(about.refunded) })}
      </span>
    </>
  )
}

export function useAboutNames(): (about: About) => string {
  const t = useTranslations('support')
  const locale = useLocale()
  return (about) => {
    if (about.kind === 'payment') {
      const amount = formatMoney(about.amount, about.currency, locale)
      return about.system === '' ? t('paymentAlone', { amount }) : t('payment', { amount, way: about.system })
    }
    const { phone, country, service } = about
    return phone === null ? service.name : `${service.name} ${formatPhone(phone, country.dial)}`
  }
}

function pathOf(about: About): string {
  if (about.kind === 'payment') return paymentPath(about.id)
  return `/history?mode=${about.kind === 'rental' ? 'rent' : 'activation'}&search=${about.phone ?? about.id}`
}
