import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  type BonusRuleRecord,
  MAX_OPEN_PAYMENTS,
  type PaymentRecord,
  type PaymentSystemRecord,
} from '#contract/payment.ts'
import { AmountForm } from './amount-form.tsx'
import { BonusOffers } from './bonus-offers.tsx'
import { SystemRows } from './system-rows.tsx'
import { VoucherForm } from './voucher-form.tsx'

type PaymentFormProps = {
  systems: readonly PaymentSystemRecord[]
  bonuses: readonly BonusRuleRecord[]
  standard: string | null
  /** The amount that the balance lacks for the chosen number, as a decimal string. */
  missing: string | null
  hasOpen: boolean
  openCount: number
  onBegan: (payment: PaymentRecord) => void
  /** Called after a refused payment, to hide an earlier payment's outcome, which would seem to be the refused one's. */
  onRefused: () => void
}

export function PaymentForm({ systems, bonuses, standard, missing, hasOpen, openCount, ...then }: PaymentFormProps) {
  const t = useTranslations('topUp')
  const [wanted, setWanted] = useState(standard)
  // The typed amount stays if the user chooses another payment system of the same currency.
  const [typed, setTyped] = useState<{ text: string; currency: string }>()
  const system = systems.find(({ key }) => key === wanted) ?? systems[0]
  if (system === undefined) return null
  return (
    <section aria-label={t('another')}>
      {hasOpen ? <h2 className="mt-10 text-lg font-semibold">{t('another')}</h2> : null}
      {systems.length === 1 ? null : <SystemRows systems={systems} chosen={system.key} onChoose={setWanted} />}
      {system.form === 'voucher' ? (
        <VoucherForm {...then} />
      ) : (
        <>
          <BonusOffers bonuses={bonuses} currency={system.currency} />
          <AmountForm
            system={system}
            typed={typed?.currency === system.currency ? typed.text : null}
            onTyped={(text) => setTyped({ text, currency: system.currency })}
            bonuses={bonuses}
            missing={missing}
            isFull={openCount >= MAX_OPEN_PAYMENTS}
            {...then}
          />
        </>
      )}
    </section>
  )
}
