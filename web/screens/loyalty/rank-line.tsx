import { useLocale, useTranslations } from 'use-intl'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import type { LoyaltyTerms } from '#contract/programmes/loyalty.ts'
import { shortMoney } from '#web/money/amount-text.ts'
import { percentWords } from '#web/text/percent-words.ts'

type RankLineProps = Pick<LoyaltyTerms, 'ranks' | 'currency'> & {
  toppedUp: string | null
}

export function RankLine({ ranks, currency, toppedUp }: RankLineProps) {
  const t = useTranslations('programmes')
  const locale = useLocale()
  const places = placesOf(ranks, toppedUp)
  return (
    <table className="mt-5 w-full max-w-xl max-[359px]:text-[14px]">
      <thead className="text-left text-sm text-muted">
        <tr>
          <th scope="col" className="py-2 pl-6 font-medium sm:pl-7">
            {t('topUp')}
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            {t('back')}
          </th>
          {toppedUp === null ? null : (
            <th scope="col" className="py-2 pl-3 text-right font-medium sm:w-2/5">
              {t('state')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {places.map(({ rank, state, missing }) => (
          <tr key={rank.top_up} aria-current={state === 'here' ? 'step' : undefined}>
            <td className="tabular relative py-2.5 pl-6 whitespace-nowrap sm:pl-7">
              <Tick state={state} />
              <span className={state === 'here' ? 'font-semibold' : ''}>
                {t('from', { amount: shortMoney(rank.top_up, currency, locale) })}
              </span>
            </td>
            <td className="tabular py-2.5 text-right font-semibold whitespace-nowrap">
              {percentWords(rank.percent, locale)}
            </td>
            {toppedUp === null ? null : (
              <td className="tabular py-2.5 pl-2 text-right text-sm whitespace-nowrap text-muted max-[359px]:text-[12px] sm:pl-3">
                {state === 'ahead'
                  ? missing === null
                    ? null
                    : t('missing', { amount: shortMoney(missing, currency, locale) })
                  : t(state)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Tick({ state }: { state: Place['state'] }) {
  const look =
    state === 'ahead' ? 'border-edge bg-surface' : state === 'here' ? 'border-signal bg-signal' : 'border-ink bg-ink'
  return (
    <span aria-hidden className={`absolute top-1/2 left-0 size-3 -translate-y-1/2 rounded-full border-2 ${look}`} />
  )
}

export type Place = {
  rank: LoyaltyTerms['ranks'][number]
  state: 'reached' | 'here' | 'ahead'
  filledPercent: number
  /** The amount that is missing to this rank, as a decimal string; null except for the next rank. */
  missing: string | null
}

const micros = (decimal: string) => parseDecimal(decimal) ?? 0n

export function placesOf(ranks: LoyaltyTerms['ranks'], toppedUp: string | null): Place[] {
  const sum = micros(toppedUp ?? '0')
  const here = ranks.findLastIndex(({ top_up: limit }) => sum >= micros(limit))
  return ranks.map((rank, place) => {
    const [before, limit] = [micros(ranks[place - 1]?.top_up ?? '0'), micros(rank.top_up)]
    const isNext = place === here + 1 && toppedUp !== null
    return {
      rank,
      state: place === here ? 'here' : place < here ? 'reached' : 'ahead',
      filledPercent: place <= here ? 100 : isNext ? Number(((sum - before) * 100n) / (limit - before)) : 0,
      missing: isNext ? toDecimal(limit - sum) : null,
    }
  })
}
