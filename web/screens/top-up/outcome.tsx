import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { HOUR } from '#contract/time.ts'
import { useUser } from '#web/house/app-context.ts'
import { paymentWord } from '#web/money/payment-word.ts'
import { Link } from '#web/navigation/link.tsx'
import { redirectPath } from '#web/navigation/redirect-path.ts'
import { useToldCredit } from '#web/notifications/use-told-credit.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { usePayment } from './use-payments.ts'

const KEY = 'top-up-back'
/** After this time the path back to the purchase is forgotten, because a later top-up has another purpose. */
const KEPT_MS = HOUR

const LOOKS = {
  good: 'border-received bg-received-wash',
  soon: 'border-soon bg-soon-wash',
  bad: 'border-error bg-error-wash',
  plain: 'border-edge bg-surface',
} as const

type Told = {
  transactionId: string | null
  back: string | null
  /** The latest payments, which may contain the payment before its own query has loaded. */
  latest: readonly PaymentRecord[]
}

/** Returns the outcome of a payment. `isDone` is true if it is paid and a path `way` to the chosen number exists. */
export function useOutcome({ transactionId, back, latest }: Told) {
  const asked = usePayment(transactionId)
  const payment = asked ?? latest.find(({ transaction_id: id }) => id === transactionId) ?? null
  const way = useWayBack(back)
  const said = payment === null ? null : sayOutcome(payment)
  useToldCredit(transactionId, said?.word === 'paid' || said?.word === 'partial')
  return { transactionId, payment, said, way, isDone: said?.word === 'paid' && way !== null }
}

/** Shows the outcome of the payment that the user began or returned from, with a link to the chosen number. */
export function Outcome({ outcome, open }: { outcome: ReturnType<typeof useOutcome>; open: string }) {
  const { transactionId, payment, said, way } = outcome
  const line = useTold(said === null ? null : `${transactionId} ${said.word}`, open)
  return (
    <div ref={line} role="status" tabIndex={-1} className="scroll-mt-20 outline-none">
      {said === null || payment === null ? null : <OutcomeLine payment={payment} said={said} back={way} />}
    </div>
  )
}

/** Scrolls a new outcome into view. If a payment disappears with the focus in it, the outcome gets the focus. */
function useTold(said: string | null, open: string) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (said !== null) line.current?.scrollIntoView({ block: 'nearest' })
  }, [said])
  const change = said === null ? null : `${said} ${open}`
  useEffect(() => {
    if (change !== null && document.activeElement === document.body) line.current?.focus({ preventScroll: true })
  }, [change])
  return line
}

type Said = {
  word: 'paid' | 'partial' | 'failed' | 'expired' | 'closed' | 'refunded' | 'disputed' | 'lost' | 'won'
  look: keyof typeof LOOKS
}

/** Returns null for an open payment, which is shown in full below. */
function sayOutcome(payment: PaymentRecord): Said | null {
  const word = paymentWord(payment)
  switch (word) {
    case 'paid':
    case 'won':
      return { word, look: 'good' }
    case 'partial':
      return { word: 'partial', look: 'soon' }
    case 'failed':
      return { word: 'failed', look: 'bad' }
    case 'expired':
      return { word: 'expired', look: 'soon' }
    case 'closed':
    case 'lost':
      return { word, look: 'plain' }
    case 'refunded':
    case 'disputed':
      return { word, look: 'soon' }
    default:
      return null
  }
}

function OutcomeLine({ payment, said, back }: { payment: PaymentRecord; said: Said; back: string | null }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const debt = useUser()?.debt ?? '0.00'
  const owes = (said.word === 'paid' || said.word === 'partial') && Number(debt) > 0
  const money = (amount: string) => formatMoney(amount, payment.currency, locale)
  return (
    <div
      className={`mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded border px-4 py-3 ${LOOKS[said.look]}`}
    >
      <p className="font-medium" data-outcome={said.word}>
        {t(`outcome.${said.word}`, {
          amount: money(payment.credited),
          sum: money(payment.sum),
          back: money(payment.refunded),
        })}
        {owes ? ` ${t('outcome.inDebt', { debt: money(debt) })}` : null}
      </p>
      {said.word === 'paid' || (said.word === 'partial' && back === null) ? (
        <Link to={back ?? '/'} onClick={forgetBack} className={`${buttonLook('primary')} min-h-11`}>
          {t(back === null ? 'buy' : 'back')}
        </Link>
      ) : null}
    </div>
  )
}

/** Returns the path back in the URL, or else the path stored before the payer went to the bank. */
function useWayBack(given: string | null): string | null {
  const path = redirectPath(given)
  const [kept, setKept] = useState<string | null>(null)
  useEffect(() => {
    if (path === null) setKept(readBack())
    else rememberBack(path)
  }, [path])
  return path ?? kept
}

/** Stores the path back as long as the payer is at the bank, whose page leads only to the top-up page. */
function rememberBack(path: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }))
}

function forgetBack(): void {
  sessionStorage.removeItem(KEY)
}

export function readBack(): string | null {
  try {
    const { path, at } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return Date.now() - at < KEPT_MS ? redirectPath(path) : null
  } catch {
    // A corrupt entry in sessionStorage counts as no entry.
    return null
  }
}
