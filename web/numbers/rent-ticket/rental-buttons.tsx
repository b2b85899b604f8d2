import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { useDialogs } from '#web/house/app-context.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { useNumberCall } from '#web/numbers/ticket/use-number-call.ts'
import { StubButton } from '#web/ui/stub-button.tsx'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { type RentalAction, type RentalVerb, rentalActions } from './rental-actions.ts'

/** The cancel button shows how long cancelling stays free. */
export function RentalButtons({ record, dismissible }: { record: RentalRecord; dismissible: boolean }) {
  const t = useTranslations('rent')
  const { open } = useDialogs()
  const { pending, dismiss, run } = useNumberCall(RENTALS, record)
  // The selected value is a string, so the component renders only when a second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(rentalActions(record, nowMs)))
  // The cast is safe, because the line above made the string.
  const actions = (JSON.parse(offered) as RentalAction[]).filter(({ verb }) => dismissible || verb !== 'dismiss')
  if (actions.length === 0) return null

  function press(verb: RentalVerb): void {
    if (verb === 'extend') {
      open('extend', { id: record.id })
    } else if (verb === 'dismiss') {
      dismiss()
    } else {
      run({
        // Finishing forfeits paid time, so it always needs a confirmation.
        question: { text: t(`confirm.${verb}`), action: t(`action.${verb}`), force: verb === 'finish' },
        send: (api, id, idempotencyKey) => api(`POST /api/v1/rentals/{id}/${verb}`, { id }, { idempotencyKey }),
      })
    }
  }
  return (
    <div className="-ml-2 flex flex-wrap">
      {actions.map(({ verb, closesInSeconds }) => {
        const time = closesInSeconds === null ? null : formatSeconds(closesInSeconds)
        return (
          <StubButton
            key={verb}
            closed={pending}
            tip={time === null ? undefined : t('cancelFree', { time })}
            onPress={() => press(verb)}
          >
            {t(`action.${verb}`)}
            {time === null ? null : <span className="tabular text-muted">{time}</span>}
          </StubButton>
        )
      })}
    </div>
  )
}
