import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { Button } from '../button.tsx'
import { later } from '../later.tsx'
import { usePanelMode } from './panel-mode.ts'
import type { PurchaseOutcome } from './purchase-outcome.ts'

// Words after a press: most visits end before one.
const PressNote = later(async () => (await import('./press-note.tsx')).PressNote)

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
  const words = useTranslations(usePanelMode().words)
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
      <p className="buy-keys">{words('keys')}</p>
    </div>
  )
}

function ButtonWords({ offer, pending, signedIn }: Pick<BuyBarProps, 'offer' | 'pending' | 'signedIn'>) {
  const t = useTranslations('buy')
  const words = useTranslations(usePanelMode().words)
  const locale = useLocale()
  if (pending) return words('pressing')
  switch (offer.kind) {
    case 'incomplete':
      return t(`choose.${offer.missing}`)
    case 'loading':
    case 'failed':
      return t('priceLoading')
    case 'priced': {
      const price = formatMoney(offer.price, offer.currency, locale)
      return signedIn ? words('press', { price }) : t('registerPress', { price })
    }
    default:
      return offer satisfies never
  }
}

function BuyNote({ offer, outcome }: Pick<BuyBarProps, 'offer' | 'outcome'>) {
  const t = useTranslations('buy')
  if (offer.kind === 'failed') return <p className="buy-note text-error">{t('priceFailed')}</p>
  // What is left of a choice that has run out stands above the bar.
  return outcome === null || outcome.kind === 'no-numbers' ? null : <PressNote outcome={outcome} />
}
