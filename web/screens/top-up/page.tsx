import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type LoaderInput, Redirect } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { BalanceLine } from './balance-line.tsx'
import { LatestPayments } from './latest-payments.tsx'
import { missingFor } from './missing-for.ts'
import { OpenPayment } from './open-payment.tsx'
import { Outcome } from './outcome.tsx'
import { PaymentForm } from './payment-form.tsx'
import { LATEST_INPUT, type PaymentsSeed, useLatestPayments, usePayments } from './use-payments.ts'

type TopUpData = PaymentsSeed & { missing: string | null }

export async function loader({ api, url, now }: LoaderInput): Promise<TopUpData> {
  const [payments, latest, missing] = await Promise.all([
    api('GET /api/payments', {}),
    api('GET /api/payments-history', LATEST_INPUT),
    missingFor(api, url.searchParams),
  ])
  // Nothing is missing: the number can be bought at once.
  if (missing.kind === 'enough') throw new Redirect(missing.back)
  return { askedAt: now, payments, latest, missing: missing.amount }
}

/** /top-up */
export function Page() {
  const t = useTranslations('topUp')
  const seed = useScreenData<typeof loader>()
  const [params] = useSearchParams()
  const { systems, bonuses, default_system: standard, active_payments: active } = usePayments(seed)
  const latest = useLatestPayments(seed)
  const [began, setBegan] = useState<string | null>(null)
  const open = Object.values(active)
  const { ended, forget } = useEnded(open.map(({ transaction_id }) => transaction_id))
  const current = ended ?? began ?? params.get('payment')
  const choices = Object.values(systems)
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('title')} indexable={false} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <BalanceLine />
      </div>
      <Outcome transactionId={current} back={params.get('back')} />
      {open.map((payment) => (
        <OpenPayment
          key={payment.transaction_id}
          payment={payment}
          isNew={payment.transaction_id === began && payment.form !== 'redirect'}
        />
      ))}
      {choices.length === 0 ? (
        <EmptyState title={t('noSystems')} text={t('noSystemsText')} />
      ) : (
        <PaymentForm
          systems={choices}
          bonuses={bonuses}
          standard={standard}
          missing={seed.missing}
          hasOpen={open.length > 0}
          onBegan={(transactionId) => {
            forget()
            setBegan(transactionId)
          }}
        />
      )}
      <LatestPayments payments={latest} />
    </div>
  )
}

/** The payment that was open on this page and is no more, whichever tab it was begun in. */
function useEnded(open: readonly string[]): { ended: string | null; forget: () => void } {
  const shown = useRef<readonly string[]>([])
  const [gone, setGone] = useState<readonly string[]>([])
  const ids = open.join()
  useEffect(() => {
    const now = ids === '' ? [] : ids.split(',')
    const left = shown.current.filter((id) => !now.includes(id))
    shown.current = now
    if (left.length > 0) setGone((before) => [...before, ...left])
  }, [ids])
  // Money that came empties the list for a moment.
  return { ended: gone.findLast((id) => !open.includes(id)) ?? null, forget: () => setGone([]) }
}
