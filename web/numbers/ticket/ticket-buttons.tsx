import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { SECOND } from '#contract/time.ts'
import { STUB_BUTTONS, StubButton } from '#web/ui/stub-button.tsx'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { type TicketAction, ticketActions } from './ticket-actions.ts'
import { useTicketCall } from './use-ticket-call.ts'

export function TicketButtons({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const { pending, run } = useTicketCall(record)
  // The hook selects a JSON string, so the component renders only if a shown second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(ticketActions(record, nowMs)))
  // The cast is safe, because the line above made the JSON string.
  const actions = JSON.parse(offered) as TicketAction[]
  if (actions.length === 0) return null
  return (
    <div className={STUB_BUTTONS}>
      {actions.map(({ verb, opensInSeconds }) => {
        const closed = opensInSeconds > 0
        const time = formatSeconds(opensInSeconds)
        return (
          <StubButton
            key={verb}
            closed={closed || pending}
            filled={closed && verb === 'cancel' ? waited(record, opensInSeconds) : undefined}
            tip={closed ? t('opensLater', { time }) : undefined}
            onPress={() => run(verb)}
          >
            {t(`action.${verb}`)}
            {/* Cancel and replace become possible at the same time, so one countdown is enough. */}
            {closed && verb === 'cancel' ? <span className="tabular">{time}</span> : null}
          </StubButton>
        )
      })}
    </div>
  )
}

/** Returns the share of the wait for the cancellation that is over. */
function waited({ created_at: from, cancel_from: until }: ActivationRecord, secondsLeft: number): number {
  const seconds = (Date.parse(until) - Date.parse(from)) / SECOND
  return seconds <= 0 ? 1 : Math.min(1, Math.max(0, 1 - secondsLeft / seconds))
}
