import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { useDialogs } from '#web/house/app-context.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { useNumberCall } from '#web/numbers/ticket/use-number-call.ts'
import { StubButton } from '#web/ui/stub-button.tsx'
import { formatSeconds, secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

export function RentalButtons({ record, dismissible }: { record: RentalRecord; dismissible: boolean }) {
  const t = useTranslations('rent')
  const { open } = useDialogs()
  const { pending, dismiss, run } = useNumberCall(RENTALS, record)
  // The hook selects a JSON string, so the component renders only if a shown second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(rentalActions(record, nowMs)))
  // The cast is safe, because the line above made the JSON string.
  const actions = (JSON.parse(offered) as RentalAction[]).filter(({ verb }) => dismissible || verb !== 'dismiss')
  if (actions.length === 0) return null

  function press(verb: RentalVerb): void {
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

/** All verbs except `extend` (a dialog) and `dismiss` are calls of `/api/v1/rentals/{id}/…`. */
type RentalVerb = 'extend' | 'cancel' | 'finish' | 'dismiss'

type RentalAction = {
  verb: RentalVerb
  /** The number of seconds until the action is no longer possible; null if that time is not near. */
  closesInSeconds: number | null
}

/** Returns a rental's actions, the refunding one first; none after its end, as only the server knows the outcome. */
export function rentalActions(record: RentalRecord, nowMs: number): RentalAction[] {
  if (record.final) return [{ verb: 'dismiss', closesInSeconds: null }]
  if (record.state === 'reserving' || secondsUntil(record.expired_date, nowMs) === 0) return []
  const { cancel_until: until, messages_count: count } = record
  const cancelSeconds = until === null || count > 0 ? 0 : secondsUntil(until, nowMs)
  return [
    { verb: 'extend', closesInSeconds: null },
    cancelSeconds > 0 ? { verb: 'cancel', closesInSeconds: cancelSeconds } : { verb: 'finish', closesInSeconds: null },
  ]
}
