import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney, parseDecimal } from '#contract/money.ts'
import type { LatestPurchases } from '#contract/rental.ts'
import { latestOffers, panelPath } from '#web/buying/fast-number/fast-offers.ts'
import { OfferGroup } from '#web/buying/fast-number/offer-group.tsx'
import { useFastPurchase } from '#web/buying/fast-number/use-fast-purchase.ts'
import { NextTicket, TicketHead } from '#web/buying/next/next-ticket.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { shortOf } from '#web/buying/press/purchase-outcome.ts'
import { useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { topUpFor } from '#web/navigation/top-up-path.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { NoCodeTicket } from './no-code-ticket.tsx'
import { type PairSeed, type ShownPair, useShownPair } from './showcase/use-shown-pair.ts'

const LATEST_SHOWN = 3

type FirstNumberProps = { panel: PanelSeed; popular: PairSeed | null; latest: LatestPurchases['data'] }

/** Shows a member without open numbers what the next press begins, what it costs, and what was bought last. */
export function FirstNumber({ panel, popular, latest }: FirstNumberProps) {
  const { service, countries } = panel
  const first = service === null ? popular : { service, countries }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {first === null ? <NothingToShow /> : <NextNumber first={first} panel={panel} />}
      {latest.length === 0 ? <NoCodeTicket /> : <Latest latest={latest} />}
    </div>
  )
}

function NothingToShow() {
  const t = useTranslations('activations')
  return <EmptyState drawing="ticket" title={t('emptyTitle')} text={t('emptyPanel')} />
}

function NextNumber({ first, panel }: { first: PairSeed; panel: PanelSeed }) {
  const t = useTranslations('activations')
  const pair = useShownPair(first, panel)
  if (pair === null) return <NothingToShow />
  const { isChosen } = pair
  return (
    <div>
      <p className="mb-3 text-muted">{isChosen ? t('next.text') : t('emptyPanel')}</p>
      <PairTicket pair={pair} />
      {isChosen ? (
        <TopUp pair={pair} />
      ) : (
        <Below words={t('next.popular')}>
          <Button onClick={() => pair.choose(pair.country.id)}>{t('next.choose')}</Button>
        </Below>
      )}
    </div>
  )
}

function PairTicket({ pair }: { pair: ShownPair }) {
  const t = useTranslations('activations.next')
  const home = useTranslations('home')
  const buy = useTranslations('buy')
  const locale = useLocale()
  const currency = useCurrency()
  const { price, measured } = pair
  const share = measured?.success_share ?? null
  const seconds = measured?.median_seconds ?? null
  const time = seconds === null ? null : buy('medianSeconds', { seconds: Math.max(1, Math.round(seconds)) })
  const free = formatMoney('0', currency, locale).replace(/[.,]00/, '')
  return (
    <NextTicket
      head={<TicketHead {...pair} />}
      steps={[
        {
          name: 'bought',
          words: home('ticket.step.bought'),
          fact: price === null ? null : t('held', { price: formatMoney(price, currency, locale) }),
        },
        { name: 'waiting', words: home('ticket.step.waiting'), fact: time === null ? null : t('usual', { time }) },
        { name: 'code', words: home('ticket.step.code'), fact: t('charged') },
      ]}
      figure={share === null ? free : formatPercent(share, locale)}
      figureWords={share === null ? home('noCodeStub') : home('facts.codes')}
    />
  )
}

/** Leads to the top-up and back if the balance lacks money for the chosen pair, or is empty. */
function TopUp({ pair: { service, country, price } }: { pair: ShownPair }) {
  const t = useTranslations('activations')
  const buy = useTranslations('buy')
  const locale = useLocale()
  const user = useUser()
  if (user === null || routeNamed('top-up') === undefined) return null
  const { balance, currency } = user
  const missing = price === null ? null : shortOf(price, balance)
  if (missing === null && parseDecimal(balance) !== 0n) return null
  const back = panelPath({ service, country, operator: null, period: null })
  return (
    <Below words={t('next.balance', { amount: formatMoney(balance, currency, locale) })}>
      <Link to={topUpFor(back, missing)} className={`tabular ${buttonLook()}`}>
        {missing === null ? t('topUp') : buy('short', { amount: formatMoney(missing, currency, locale) })}
      </Link>
    </Below>
  )
}

function Below({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="tabular text-muted">{words}</span>
      {children}
    </div>
  )
}

function Latest({ latest }: Pick<FirstNumberProps, 'latest'>) {
  const t = useTranslations('fastNumber')
  const purchase = useFastPurchase(() => undefined)
  return (
    <OfferGroup
      title={t('latest')}
      hint={t('text')}
      offers={latestOffers([latest]).slice(0, LATEST_SHOWN)}
      purchase={purchase}
      onDone={() => undefined}
    />
  )
}
