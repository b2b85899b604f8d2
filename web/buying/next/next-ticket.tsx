import type { ComponentType, ReactNode } from 'react'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'

type TicketHeadProps = {
  service: { id: string; name: string }
  country: { name: string; iso2: string }
  price: string | null
  ServiceMark?: ComponentType<{ service: { id: string; name: string }; size?: 'large' }>
}

/** Renders the head of a ticket that is not bought yet. */
export function TicketHead({ service, country, price, ServiceMark = Mark }: TicketHeadProps) {
  const currency = useCurrency()
  return (
    <div className="flex items-center gap-3">
      <ServiceMark service={service} size="large" />
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-lg font-semibold">{service.name}</p>
        <p className="mt-0.5 flex items-center gap-1.5 text-[14px] text-muted">
          <Flag iso2={country.iso2} size="tiny" />
          <span className="truncate">{country.name}</span>
        </p>
      </div>
      {price === null ? null : (
        <Price amount={price} currency={currency} className="shrink-0 self-start text-lg font-semibold" />
      )}
    </div>
  )
}

type NextTicketProps = {
  head: ReactNode
  /** The steps after the press, in order, each with its figure. */
  steps: readonly { name: string; words: string; fact: ReactNode }[]
  /** The largest figure on the stub, and its words. */
  figure: ReactNode
  figureWords: ReactNode
}

/** Shows, as a ticket, what a press of the buy button begins. */
export function NextTicket({ head, steps, figure, figureWords }: NextTicketProps) {
  return (
    <div className="@container">
      <div className="ticket" data-look="ended">
        <div className="min-w-0 px-5 py-4">
          {head}
          <ol className="mt-3">
            {steps.map(({ name, words, fact }, place) => (
              <li
                key={name}
                className="flex min-h-10 flex-wrap items-baseline gap-x-3 border-t border-hairline py-2 leading-snug"
              >
                <span className="tabular w-4 shrink-0 text-muted">{place + 1}</span>
                <span className="min-w-0 flex-[1_1_10rem] font-medium">{words}</span>
                <span className="tabular ml-7 text-[14px] text-muted @3xl:ml-0">{fact}</span>
              </li>
            ))}
          </ol>
        </div>
        <div className="ticket-stub justify-center">
          <span aria-hidden className="ticket-holes text-ink" style={{ '--left': '0%' }} />
          <p className="tabular text-[2.75rem] leading-none font-semibold tracking-tight">{figure}</p>
          <div className="tabular mt-1 leading-snug text-muted">{figureWords}</div>
        </div>
      </div>
    </div>
  )
}
