import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { useDialogs } from '#web/house/app-context.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { useNumberCall } from '#web/numbers/ticket/use-number-call.ts'
import type { RentalVerb } from './rental-actions.ts'

export function useRentalCall(record: RentalRecord): { pending: boolean; run: (verb: RentalVerb) => void } {
  const t = useTranslations('rent')
  const { open } = useDialogs()
  const { pending, dismiss, run } = useNumberCall(RENTALS, record)

  function runVerb(verb: RentalVerb): void {
    if (verb === 'extend') {
      open('extend', { id: record.id })
    } else if (verb === 'dismiss') {
      dismiss()
    } else {
      run({
        // An early finish forfeits paid time, so it always needs a confirmation.
        question: { text: t(`confirm.${verb}`), action: t(`action.${verb}`), force: verb === 'finish' },
        send: (api, id, idempotencyKey) => api(`POST /api/v1/rentals/{id}/${verb}`, { id }, { idempotencyKey }),
      })
    }
  }
  return { pending, run: runVerb }
}
