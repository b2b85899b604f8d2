import type { FastOffer } from './fast-offers.ts'
import { FastRow } from './fast-row.tsx'
import type { FastPurchase } from './use-fast-purchase.ts'

type OfferGroupProps = {
  title: string
  /** Tells what a press does, where nothing else tells it. */
  hint?: string
  offers: readonly FastOffer[]
  purchase: FastPurchase
  onDone: () => void
}

export function OfferGroup({ title, hint, offers, purchase, onDone }: OfferGroupProps) {
  if (offers.length === 0) return null
  return (
    <section aria-label={title} className="mt-4 first:mt-0">
      <div className="mb-1 flex flex-wrap justify-between gap-x-4 text-[13px] text-muted">
        <h3 className="font-medium">{title}</h3>
        {hint === undefined ? null : <p>{hint}</p>}
      </div>
      <ul className="-mx-2">
        {offers.map((offer) => (
          <FastRow key={offer.key} offer={offer} purchase={purchase} onDone={onDone} />
        ))}
      </ul>
    </section>
  )
}
