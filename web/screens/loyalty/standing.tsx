import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { LoyaltyReply } from '#contract/programmes/loyalty.ts'
import { Link } from '#web/navigation/link.tsx'
import { percentWords } from '#web/text/percent-words.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { RankLine } from './rank-line.tsx'
import { RankStrip } from './rank-strip.tsx'

type Current = NonNullable<LoyaltyReply['current']>

export function Standing({ current }: { current: Current }) {
  const t = useTranslations('programmes')
  const header = useTranslations('topUp')
  const locale = useLocale()
  const { period, time_zone: zone, currency, topped_up: toppedUp, percent, reward, next } = current
  const money = (decimal: string) => formatMoney(decimal, currency, locale)
  const day = (at: string, before = 0) => formatDay(at, { zone, locale, before })
  return (
    <>
      <h2 className="text-lg font-semibold tracking-tight">
        {period === 'week' ? t('standingWeek') : t('standingMonth')}
      </h2>
      <p className="text-sm text-muted">
        {t('days', { from: day(current.begins_at), to: day(current.ends_at, 1), zone })}
      </p>
      <RankStrip current={current} />
      <dl className="mt-6 grid gap-x-6 gap-y-4 sm:grid-cols-3">
        <Figure name={t('toppedUp')} value={money(toppedUp)} />
        <Figure
          name={t('comesBack')}
          value={money(reward)}
          note={percent === '0' ? t('noRank') : t('ofAll', { percent: percentWords(percent, locale) })}
        />
        <Figure
          name={t('toNext')}
          value={next === null ? '—' : money(next.missing)}
          note={
            next === null
              ? t('atTop')
              : t('nextBrings', { percent: percentWords(next.percent, locale), amount: money(next.reward) })
          }
        />
      </dl>
      <RankLine ranks={current.ranks} currency={currency} toppedUp={toppedUp} />
      <p className="mt-5 text-sm text-muted">{t('paidAfter', { day: day(current.ends_at) })}</p>
      <Link to="/top-up" className={`${buttonLook()} mt-4 min-h-11`}>
        {header('pay')}
      </Link>
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular text-2xl font-semibold tracking-tight">{value}</dd>
      {note === undefined ? null : <dd className="tabular text-sm text-muted">{note}</dd>}
    </div>
  )
}

export function PastRewards({ rewards, currency }: Pick<LoyaltyReply, 'rewards' | 'currency'>) {
  const t = useTranslations('programmes')
  const locale = useLocale()
  if (rewards.length === 0) return null
  return (
    <>
      <h3 className="mt-8 font-semibold">{t('rewards')}</h3>
      <ul className="mt-2 max-w-xl">
        {rewards.map(({ time_zone: zone, begins_at: begins, ends_at: ends, topped_up: toppedUp, percent, reward }) => (
          <li
            key={begins}
            className="tabular flex flex-wrap justify-between gap-x-4 border-t border-hairline py-2.5 text-sm"
          >
            <span className="text-muted">
              {formatDay(begins, { zone, locale })} – {formatDay(ends, { zone, locale, before: 1 })}
            </span>
            <span>
              {formatMoney(toppedUp, currency, locale)} · {percentWords(percent, locale)}
            </span>
            <span className="font-semibold">
              {reward === '0.00' ? t('takenBack') : formatMoney(reward, currency, locale)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Formats a day in the programme's time zone. `before` (ms) turns an exclusive end into the last day. */
function formatDay(
  at: string,
  { zone, locale, before = 0 }: { zone: string; locale: string; before?: number },
): string {
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    timeZone: zone,
  })
  return format.format(new Date(Date.parse(at) - before))
}
