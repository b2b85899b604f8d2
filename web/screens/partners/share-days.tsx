import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { Day } from '#web/reading/date-line.tsx'
import { Pages } from './pages.tsx'
import { type ReferralSeed, useShares } from './use-referral.ts'

/** Lists the referral earnings by day, because sums by day reveal nobody's purchases. */
export function ShareDays({ seed, currency }: { seed: ReferralSeed; currency: Currency }) {
  const t = useTranslations('referral')
  const locale = useLocale()
  const [page, setPage] = useState(1)
  const { data, meta } = useShares(seed, page)
  return (
    <section className="mt-10" aria-labelledby="shares">
      <h3 id="shares" className="text-lg font-semibold">
        {t('shares')}
      </h3>
      {meta.total === 0 ? <p className="mt-1 text-muted">{t('noShares')}</p> : null}
      <ul className="mt-2 overflow-hidden rounded border border-hairline bg-surface empty:hidden">
        {data.map(({ date, state, amount, available_at: availableAt }) => (
          <li
            key={`${date} ${state}`}
            className="flex items-start justify-between gap-3 border-hairline px-4 py-3 not-first:border-t"
          >
            <p>
              <Day date={date} />
              <span className="block text-sm text-muted">
                {t(`share.${state}`)}
                {availableAt === null ? null : (
                  <>
                    {' '}
                    <Day date={availableAt.slice(0, 10)} />
                  </>
                )}
              </span>
            </p>
            <p className={`tabular font-semibold whitespace-nowrap ${state === 'available' ? '' : 'text-muted'}`}>
              +{formatMoney(amount, currency, locale)}
            </p>
          </li>
        ))}
      </ul>
      <Pages page={page} last={meta.last_page} onPage={setPage} />
    </section>
  )
}
