import { Check, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { TicketHead } from '#web/buying/next/next-ticket.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { CodeDigits } from '#web/numbers/codes/code-digits.tsx'
import { Postmark } from '#web/ui/drawings/postmark.tsx'
import { Steps } from '../steps.tsx'
import { exampleOf } from './example.ts'
import { type Step, usePlay } from './use-play.ts'
import type { ShownPair } from './use-shown-pair.ts'

/** The clock of the ticket while it waits. */
const TIME_LEFT = { bought: '20:00', waiting: '19:58' }

type Shown = { pair: Pick<ShownPair, 'service' | 'country' | 'price'> }

/** Shows what a purchase of the chosen pair looks like, from the number to the copied code. */
export function PlayedTicket({ pair }: Shown) {
  const t = useTranslations('home.ticket')
  const { service, country } = pair
  const place = useRef<HTMLElement>(null)
  const example = exampleOf(service, country)
  const phone = formatPhone(example.phone, country.dial)
  const { typed, step, canRepeat, again } = usePlay(place, {
    about: `${service.id} ${country.id}`,
    digits: phone.length,
  })
  const hasCode = step === 'code' || step === 'copied'
  return (
    <figure ref={place} className="@container min-w-0" data-step={step}>
      <div className="ticket played" data-look={hasCode ? 'received' : 'waiting'}>
        <div className="ticket-body flex min-w-0 flex-col gap-1.5 px-5 py-4">
          <TicketHead {...pair} />
          <p className="ticket-phone tabular mt-2">
            {phone.slice(0, typed)}
            <span className="invisible">{phone.slice(typed)}</span>
          </p>
          <p className="min-h-11 text-[14px] break-words">
            {hasCode ? (
              <MessageText service={service} code={example.code} />
            ) : (
              <span className="text-muted">
                {step === 'waiting' ? t('waitingFor', { service: service.name }) : null}
              </span>
            )}
          </p>
        </div>
        <Stub step={step} code={example.code} />
      </div>
      <figcaption className="mt-3">
        <Steps reached={step === 'copied' ? 'code' : step} />
        <div className="flex min-h-10 items-center justify-between gap-4 text-[13px] text-muted">
          <span>{t('example')}</span>
          <button
            type="button"
            onClick={again}
            className={`inline-flex min-h-10 shrink-0 items-center gap-1.5 hover:text-ink ${canRepeat ? '' : 'invisible'}`}
          >
            <RotateCcw size={14} aria-hidden /> {t('again')}
          </button>
        </div>
      </figcaption>
    </figure>
  )
}

function Stub({ step, code }: { step: Step; code: string }) {
  const t = useTranslations('home.ticket')
  const hasCode = step === 'code' || step === 'copied'
  return (
    <div className="ticket-stub">
      <span aria-hidden className="ticket-holes text-ink" style={{ '--left': hasCode ? '95%' : '100%' }} />
      <p className="ticket-value" data-length="short">
        {hasCode ? (
          <CodeDigits code={code} className="ticket-code" />
        ) : (
          <span className="ticket-time font-codes font-bold">{TIME_LEFT[step]}</span>
        )}
      </p>
      <p className={`ticket-help flex items-center gap-1.5 ${hasCode ? 'text-received' : 'text-muted'}`}>
        {step === 'copied' ? <Check size={14} aria-hidden /> : null}
        {step === 'copied' ? t('copied') : hasCode ? null : t('held')}
      </p>
      {hasCode ? <DatedPostmark /> : null}
    </div>
  )
}

/** Stamps the day of the page, which is the same on the server and in the browser. */
function DatedPostmark() {
  const { page } = useAppContext()
  const [year = '', month = '', day = ''] = page.now.slice(0, 10).split('-')
  return (
    <Postmark
      words={{ top: `${day}·${month}`, date: year }}
      className="played-stamp pointer-events-none text-signal-bright"
    />
  )
}

function MessageText({ service, code }: { service: { id: string; name: string }; code: string }) {
  const t = useTranslations('home.ticket')
  const strong = <strong className="font-mono font-semibold whitespace-nowrap text-received">{code}</strong>
  if (service.id === 'tg') return <>Telegram code: {strong}</>
  return t.rich('text', { service: service.name, code: () => strong })
}
