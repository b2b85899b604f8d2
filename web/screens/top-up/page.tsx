import { useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type LoaderInput, Redirect } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { BalanceLine } from './balance-line.tsx'
import { LatestPayments } from './latest-payments.tsx'
import { missingFor, type Waiting } from './missing-for.ts'
import { OpenPayments } from './open-payments.tsx'
import { Outcome, useOutcome } from './outcome.tsx'
import { PaymentForm } from './payment-form.tsx'
import { LATEST_INPUT, type PaymentsSeed, usePayments } from './use-payments.ts'
import { WaitingNumber } from './waiting-number.tsx'

type TopUpData = PaymentsSeed & { missing: string | null; waiting: Waiting | null }

export async function loader({ api, url, now }: LoaderInput): Promise<TopUpData> {
  const [payments, latest, missing] = await Promise.all([
    api('GET /api/payments', {}),
    api('GET /api/payments-history', LATEST_INPUT),
    missingFor(api, url.searchParams),
  ])
  if (missing.kind === 'enough') throw new Redirect(missing.back)
  return { askedAt: now, payments, latest, missing: missing.amount, waiting: missing.waiting }
}

export function Page() {
  const t = useTranslations('topUp')
  const seed = useScreenData<typeof loader>()
  const [params] = useSearchParams()
  const { payments, latest } = usePayments(seed)
  const { systems, bonuses, default_system: standard, active_payments: active } = payments
  const shown = useShown(params.get('payment'))
  const open = Object.values(active)
  const ids = open.map(({ transaction_id: id }) => id)
  const { told, tell } = useTold(ids, params.get('payment'))
  const outcome = useOutcome({ transactionId: told, back: params.get('back'), latest })
  const choices = Object.values(systems)
  const form = (
    <PaymentForm
      systems={choices}
      bonuses={bonuses}
      standard={standard}
      missing={seed.missing}
      openCount={open.filter(({ state }) => state !== 'created').length}
      hasOpen={open.length > 0}
      onBegan={({ transaction_id: id, form: kind }) => {
        tell(id)
        // A redirect payment continues on another site, so it is not opened on this page.
        if (kind !== 'redirect') shown.onChoose(id)
      }}
      onRefused={() => tell(null)}
    />
  )
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('title')} indexable={false} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <BalanceLine />
      </div>
      <Outcome outcome={outcome} open={ids.join()} />
      {seed.waiting === null ? null : <WaitingNumber waiting={seed.waiting} />}
      <OpenPayments payments={open} {...shown} />
      {choices.length === 0 ? (
        <EmptyState drawing="receipt" title={t('noSystems')} text={t('noSystemsText')} />
      ) : outcome.isDone ? (
        // The payment is done, so the form is folded and the purchase of the number comes next.
        <details className="mt-6">
          <summary className="inline-flex min-h-11 items-center underline underline-offset-4">{t('again')}</summary>
          {form}
        </details>
      ) : (
        form
      )}
      <LatestPayments payments={latest} />
    </div>
  )
}

/** Returns the payment whose outcome is shown: at first the one in the URL, then the last begun or ended here. */
function useTold(open: readonly string[], named: string | null) {
  const { ended, forget } = useEnded(open)
  const [chosen, setChosen] = useState(named)
  const tell = (transactionId: string | null) => {
    forget()
    setChosen(transactionId)
  }
  return { told: ended ?? chosen, tell }
}

function useShown(first: string | null) {
  const [chosen, setChosen] = useState(first)
  const [focused, setFocused] = useState<string | null>(null)
  const onChoose = (transactionId: string) => {
    setChosen(transactionId)
    setFocused(transactionId)
  }
  const onFocused = useCallback(() => setFocused(null), [])
  return { chosen, focused, onChoose, onFocused }
}

/** Returns the payment that was open on this page and has ended, even if it began in another tab. */
function useEnded(open: readonly string[]): { ended: string | null; forget: () => void } {
  const [shown, setShown] = useState(open)
  const [gone, setGone] = useState<readonly string[]>([])
  // The state changes without an effect, so that the outcome appears in the same step in which the payment disappears.
  if (shown.join() !== open.join()) {
    setShown(open)
    const left = shown.filter((id) => !open.includes(id))
    if (left.length > 0) setGone([...gone, ...left])
  }
  return { ended: gone.findLast((id) => !open.includes(id)) ?? null, forget: () => setGone([]) }
}
