import { useEffect } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { GUEST_BALANCE } from '#contract/account-constants.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import { NOTE_LOOKS } from '#web/buying/initial/note-look.ts'
import { preparePress } from '#web/buying/initial/use-press.ts'
import type { PurchaseOutcome } from '#web/buying/press/purchase-outcome.ts'
import { useAppContext, useDialogs } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import type { NoGuest } from './lazy/begin-guest.ts'
import { usePanelMode } from './panel-mode.ts'
import type { VisitorWay } from './use-guests.ts'

// The notes load after the first press on the buy button, because most visits end without a press.
const PressNote = lazyPart(async () => (await import('#web/buying/press/press-note.tsx')).PressNote)
const ShortNote = lazyPart(
  async () => (await import('#web/buying/press/short-note.tsx')).ShortNote,
  <div className="min-h-16.5" />,
)

/** In `incomplete` a part of the choice is missing. In `loading` the price is being fetched. */
export type BuyOffer =
  | { kind: 'incomplete'; missing: 'both' | 'service' | 'country' }
  | { kind: 'loading' }
  | { kind: 'failed'; retry: () => void }
  | { kind: 'priced'; price: string; currency: Currency }

type BuyBarProps = {
  choice: Choice
  offer: BuyOffer
  /** Opens the list of what is missing; null if it is open. */
  unfold: (() => void) | null
  /** The amount that the balance lacks; null if the balance is sufficient. */
  short: string | null
  /** The buyer's own price limit if the price is above it, or else null. */
  limit: string | null
  outcome: PurchaseOutcome | null
  pending: boolean
  buyer: 'member' | VisitorWay
  noGuest: NoGuest | null
}

export function BuyBar({ choice, offer, unfold, short, limit, outcome, pending, buyer, noGuest }: BuyBarProps) {
  const t = useTranslations('buy')
  const mode = usePanelMode()
  const { Summary } = mode
  const words = useTranslations(mode.words)
  const ready = offer.kind === 'priced' && limit === null && !pending
  const app = useAppContext()
  useEffect(() => {
    // If the scripts do not load now, a press on the buy button loads them again.
    if (buyer === 'member') inBackground(preparePress(app))
  }, [buyer, app])
  return (
    <div className="buy-bar">
      <div aria-live="polite">
        <BuyNote offer={offer} short={short} outcome={outcome} />
        {noGuest === null ? null : (
          <p className={NOTE_LOOKS.plain}>{noGuest.by === 'all' ? t('guestsFull') : `${noGuest.words}.`}</p>
        )}
      </div>
      {Summary === null || offer.kind !== 'priced' ? null : <Summary choice={choice} {...offer} />}
      {offer.kind === 'failed' ? (
        <Button className="min-h-12 w-full" onClick={offer.retry}>
          {t('retry')}
        </Button>
      ) : (
        <Button
          type={unfold === null ? 'submit' : 'button'}
          onClick={unfold ?? undefined}
          kind={offer.kind === 'incomplete' || limit !== null ? 'plain' : 'primary'}
          data-panel-buy
          aria-disabled={!ready && unfold === null}
          aria-busy={pending}
          className="tabular min-h-12 w-full text-[clamp(12px,4vw,16px)] aria-disabled:cursor-default"
        >
          <ButtonWords offer={offer} short={short} limit={limit} pending={pending} buyer={buyer} />
        </Button>
      )}
      {buyer === 'guest' && offer.kind === 'priced' ? <GuestNote currency={offer.currency} /> : null}
      <p className="mt-2 hidden text-center text-[13px] text-muted keyboard:block">{words('keys')}</p>
    </div>
  )
}

function GuestNote({ currency }: { currency: Currency }) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const { open } = useDialogs()
  return (
    <p className="mt-2 text-center text-[13px] text-muted">
      {t.rich('guestNote', {
        amount: formatMoney(GUEST_BALANCE, currency, locale),
        // The height of a button of its own would tear the lines apart.
        link: (words) => (
          <TextButton className="inline! min-h-0!" onClick={() => open('registration', {})}>
            {words}
          </TextButton>
        ),
      })}
    </p>
  )
}

type ButtonWordsProps = Pick<BuyBarProps, 'offer' | 'short' | 'limit' | 'pending' | 'buyer'>

function ButtonWords({ offer, short, limit, pending, buyer }: ButtonWordsProps) {
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
      if (limit !== null) return t('aboveLimit', { limit: formatMoney(limit, offer.currency, locale) })
      if (short !== null) return t('short', { amount: formatMoney(short, offer.currency, locale) })
      const price = formatMoney(offer.price, offer.currency, locale)
      if (buyer === 'member') return words('press', { price })
      return t(buyer === 'guest' ? 'guestPress' : 'registerPress', { price })
    }
    default:
      return offer satisfies never
  }
}

function BuyNote({ offer, short, outcome }: Pick<BuyBarProps, 'offer' | 'short' | 'outcome'>) {
  const t = useTranslations('buy')
  if (offer.kind === 'failed') return <p className={NOTE_LOOKS.plain}>{t('priceFailed')}</p>
  if (short !== null) return <ShortNote />
  // No note is shown for a sold-out choice, because its alternatives stand above the bar.
  return outcome === null || outcome.kind === 'no-numbers' ? null : <PressNote outcome={outcome} />
}
