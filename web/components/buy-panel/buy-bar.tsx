import { Link } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { routeNamed } from '../../routes.ts'
import { Button } from '../button.tsx'
import type { PurchaseOutcome } from './purchase-outcome.ts'

/** What stands at the foot of the panel. `incomplete`: something is not chosen; `loading`: its price is on its way. */
export type BuyOffer =
  | { kind: 'incomplete'; missing: 'both' | 'service' | 'country' }
  | { kind: 'loading' }
  | { kind: 'failed'; retry: () => void }
  | { kind: 'priced'; price: string; currency: Currency }

type BuyBarProps = {
  offer: BuyOffer
  outcome: PurchaseOutcome | null
  pending: boolean
  signedIn: boolean
}

/** The sticky foot of the panel: one button, and above it what the person must know before he presses it. */
export function BuyBar({ offer, outcome, pending, signedIn }: BuyBarProps) {
  const t = useTranslations('buy')
  const ready = offer.kind === 'priced' && !pending
  return (
    <div className="buy-bar">
      <div aria-live="polite">
        <BuyNote offer={offer} outcome={outcome} />
      </div>
      {offer.kind === 'failed' ? (
        <Button className="min-h-12 w-full" onClick={offer.retry}>
          {t('retry')}
        </Button>
      ) : (
        <Button
          type="submit"
          kind={offer.kind === 'incomplete' ? 'plain' : 'primary'}
          data-panel-buy
          aria-disabled={!ready}
          aria-busy={pending}
          className="tabular min-h-12 w-full text-[16px]"
        >
          <ButtonWords offer={offer} pending={pending} signedIn={signedIn} />
        </Button>
      )}
      <p className="buy-keys">{t('keys')}</p>
    </div>
  )
}

function ButtonWords({ offer, pending, signedIn }: Pick<BuyBarProps, 'offer' | 'pending' | 'signedIn'>) {
  const t = useTranslations('buy')
  const locale = useLocale()
  if (pending) return t('pressing')
  switch (offer.kind) {
    case 'incomplete':
      return t(`choose.${offer.missing}`)
    case 'loading':
    case 'failed':
      return t('priceLoading')
    case 'priced': {
      const price = formatMoney(offer.price, offer.currency, locale)
      return signedIn ? t('press', { price }) : t('registerPress', { price })
    }
    default:
      return offer satisfies never
  }
}

function BuyNote({ offer, outcome }: Pick<BuyBarProps, 'offer' | 'outcome'>) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const topUp = routeNamed('top-up')
  if (offer.kind === 'failed') return <p className="buy-note text-error">{t('priceFailed')}</p>
  switch (outcome?.kind) {
    case 'price-changed': {
      if (offer.kind !== 'priced') return null
      const money = (amount: string) => formatMoney(amount, offer.currency, locale)
      return (
        <p className="buy-note bg-soon-wash text-soon">
          {t('priceChanged', { before: money(outcome.before), after: money(outcome.price) })}
        </p>
      )
    }
    case 'no-balance':
      return (
        <p className="buy-note bg-soon-wash text-soon">
          {t('noBalance', { amount: formatMoney(outcome.missing, outcome.currency, locale) })}{' '}
          {topUp === undefined ? null : (
            <Link
              to={topUp.path}
              className="inline-flex min-h-10 items-center font-semibold underline underline-offset-4"
            >
              {t('topUp')}
            </Link>
          )}
        </p>
      )
    case 'unknown':
      return <p className="buy-note bg-error-wash text-error">{t('unknownOutcome')}</p>
    // The block above the bar, or the alert, says it.
    case 'no-numbers':
    case 'failed':
    case undefined:
      return null
    default:
      return outcome satisfies never
  }
}
