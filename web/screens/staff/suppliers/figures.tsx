import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { ShownShare, ShownSupplier } from '#contract/staff/supply.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { useMilliseconds } from './use-milliseconds.ts'

/** The minimum number of purchases for which a low share of codes is marked, because fewer say nothing. */
const TELLING_PURCHASES = 10
const FAR_BELOW = 0.5

const WINDOWS = { '15m': 'codes15m', '1h': 'codes1h', '24h': 'codes24h' } as const

export function Figures({ supplier }: { supplier: ShownSupplier }) {
  const t = useTranslations('supply')
  const locale = useLocale()
  const inWords = useMilliseconds()
  const { balance, calls, unmatched, reused_ids: reused } = supplier
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
      {supplier.shares.map((share) => (
        <Figure key={share.window} name={t(`facts.${WINDOWS[share.window]}`)} below={<ShareBelow share={share} />}>
          <span className={isFarBelow(share) ? 'text-error' : ''}>
            {share.share === null ? t('nothing') : t('percent', { value: percent(share.share) })}
          </span>
        </Figure>
      ))}
      <Figure name={t('facts.lastSms')}>
        {supplier.last_sms_at === null ? t('never') : <LocalMoment at={supplier.last_sms_at} />}
      </Figure>
      <Figure name={t('facts.open')}>{supplier.open_numbers.toLocaleString(locale)}</Figure>
      <Figure
        name={t('facts.calls')}
        below={<span className={calls.errors > 0 ? 'text-error' : ''}>{t('errors', { count: calls.errors })}</span>}
      >
        {calls.calls.toLocaleString(locale)}
      </Figure>
      <Figure name={t('facts.time')}>{calls.calls === 0 ? t('nothing') : inWords(calls.p95_ms)}</Figure>
      <Figure name={t('facts.balance')} below={balance === null ? null : <LocalMoment at={balance.at} />}>
        {balance === null ? t('nothing') : formatMoney(balance.amount, balance.currency, locale)}
      </Figure>
      <Figure name={t('facts.stock')}>
        {supplier.stock === null ? t('nothing') : supplier.stock.toLocaleString(locale)}
      </Figure>
      <Figure
        name={t('facts.unmatched')}
        below={reused === 0 ? null : <span className="text-error">{t('reusedIds', { count: reused })}</span>}
      >
        <span className={unmatched > 0 ? 'text-soon' : ''}>{unmatched.toLocaleString(locale)}</span>
      </Figure>
    </dl>
  )
}

function Figure({ name, below = null, children }: { name: string; below?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular">
        <span className="block font-semibold">{children}</span>
        {below === null ? null : <span className="block text-sm text-muted">{below}</span>}
      </dd>
    </div>
  )
}

function ShareBelow({ share: { purchases, codes, norm } }: { share: ShownShare }) {
  const t = useTranslations('supply')
  if (purchases === 0) return t('noPurchases')
  return (
    <>
      {t('ofPurchases', { codes, purchases })}, {norm === null ? t('noNorm') : t('norm', { value: percent(norm) })}
    </>
  )
}

function isFarBelow({ purchases, share, norm }: ShownShare): boolean {
  return share !== null && norm !== null && purchases >= TELLING_PURCHASES && share < norm * FAR_BELOW
}

function percent(share: number): string {
  return String(Math.round(share * 100))
}
