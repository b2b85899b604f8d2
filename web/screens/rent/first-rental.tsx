import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { RENTAL_CANCEL_MINUTES } from '#contract/rental.ts'
import { NextTicket, TicketHead } from '#web/buying/next/next-ticket.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { PanelModeContext } from '#web/buying/panel/panel-mode.ts'
import { useOffer } from '#web/buying/panel/use-offer.ts'
import { usePanelLists } from '#web/buying/picker/pickers.tsx'
import { useLoadedChoice } from '#web/buying/picker/use-loaded-choice.ts'
import { FULL_NUMBER, RentMark } from '#web/numbers/rent-ticket/rent-mark.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { usePeriodWords } from '#web/ui/time/period.ts'
import { pricePerDay } from './per-day.ts'
import { RentEnd } from './rent-end.tsx'
import { RENT_MODE } from './rent-mode.ts'

/** Shows a member without rentals what the next press begins: for how long, until when, and at which price. */
export function FirstRental({ panel }: { panel: PanelSeed }) {
  return (
    <PanelModeContext value={RENT_MODE}>
      <NextRental panel={panel} />
    </PanelModeContext>
  )
}

function NextRental({ panel }: { panel: PanelSeed }) {
  const t = useTranslations('rent')
  const home = useTranslations('home.ticket.step')
  const locale = useLocale()
  const currency = useCurrency()
  const words = usePeriodWords()
  const tNext = useTranslations('activations.next')
  const money = (amount: string) => formatMoney(amount, currency, locale)
  const [choice] = useLoadedChoice(panel.choice)
  // These read the replies that the panel asks for.
  const lists = usePanelLists(choice, panel)
  const { bar } = useOffer(choice, lists, panel)
  const { service, country } = lists
  const { periodHours } = choice
  const price = bar.kind === 'priced' ? bar.price : null
  const perDay = price === null ? null : pricePerDay(price, periodHours)
  const isPair = service !== null && country !== null
  const sender =
    service === null ? null : service.id === FULL_NUMBER ? t('anyService') : t('next.from', { service: service.name })
  return (
    <div>
      {isPair ? <p className="mb-3 text-muted">{t('next.text')}</p> : null}
      <NextTicket
        head={
          isPair ? (
            <TicketHead service={service} country={country} price={price} ServiceMark={RentMark} />
          ) : (
            <>
              <p className="text-lg font-semibold">{t('emptyTitle')}</p>
              <p className="mt-1 max-w-md text-muted">{t('emptyText')}</p>
            </>
          )
        }
        steps={[
          {
            name: 'bought',
            words: home('bought'),
            fact: price === null ? null : tNext('held', { price: money(price) }),
          },
          { name: 'messages', words: t('next.messages'), fact: sender },
          { name: 'cancel', words: t('next.cancel'), fact: t('next.refund', { minutes: RENTAL_CANCEL_MINUTES }) },
          { name: 'end', words: t('next.end'), fact: t('next.extend') },
        ]}
        figure={words(periodHours)}
        figureWords={
          <>
            <RentEnd hours={periodHours} />
            {perDay === null ? null : <span className="block">{t('perDay', { price: money(perDay) })}</span>}
          </>
        }
      />
    </div>
  )
}
