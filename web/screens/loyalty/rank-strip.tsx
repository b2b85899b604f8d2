import { useLocale, useTranslations } from 'use-intl'
import type { LoyaltyReply } from '#contract/programmes/loyalty.ts'
import { shortMoney } from '#web/money/amount-text.ts'
import { percentWords } from '#web/text/percent-words.ts'
import { placesOf } from './rank-line.tsx'
import './rank-strip.css'

type RankStripProps = { current: NonNullable<LoyaltyReply['current']> }

/**
 * Draws the way to the highest rank as a perforated strip, one piece for each rank. The pieces have one width, because
 * the top ranks would otherwise leave the first ones no place.
 */
export function RankStrip({ current }: RankStripProps) {
  const { ranks, currency, topped_up: toppedUp } = current
  const locale = useLocale()
  return (
    <div className="mt-5">
      <p className="tabular font-medium">
        <WayWords current={current} />
      </p>
      <div aria-hidden className="rank-strip mt-2">
        {placesOf(ranks, toppedUp).map(({ rank, state, filledPercent }) => (
          <div key={rank.top_up} className="rank-piece" data-state={state}>
            <span className="rank-fill" style={{ width: `${filledPercent}%` }} />
            <span className="rank-percent tabular">{percentWords(rank.percent, locale)}</span>
          </div>
        ))}
      </div>
      <div aria-hidden className="tabular mt-1 flex text-[13px] text-muted max-sm:hidden">
        {ranks.map((rank) => (
          <span key={rank.top_up} className="flex-1 text-right">
            {shortMoney(rank.top_up, currency, locale)}
          </span>
        ))}
      </div>
    </div>
  )
}

function WayWords({ current: { next, percent, currency } }: RankStripProps) {
  const t = useTranslations('programmes')
  const locale = useLocale()
  const now = percentWords(percent, locale)
  if (next === null) return t('wayDone', { percent: now })
  const words = { amount: shortMoney(next.missing, currency, locale), percent: percentWords(next.percent, locale) }
  return percent === '0' ? t('wayToFirst', words) : t('wayToNext', { ...words, now })
}
