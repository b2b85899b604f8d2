import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { useAtNow } from '../../live/use-at-now.ts'
import { formatSeconds } from '../time-left.ts'
import { type TicketAction, type TicketVerb, ticketActions } from './ticket-actions.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** The actions of a ticket. One that opens later shows the time until then, and cannot be pressed before. */
export function TicketButtons({ record }: { record: ActivationRecord }) {
  const { pending, run } = useTicketCall(record)
  // A text, so that the component renders again only when a second or an action changed.
  const offered = useAtNow((nowMs) => JSON.stringify(ticketActions(record, nowMs)))
  // It was written in the line above.
  const actions = JSON.parse(offered) as TicketAction[]
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap">
      {actions.map((action) => (
        <TicketButton key={action.verb} action={action} busy={pending !== null} run={run} />
      ))}
    </div>
  )
}

type TicketButtonProps = { action: TicketAction; busy: boolean; run: (verb: TicketVerb) => void }

function TicketButton({ action: { verb, opensInSeconds }, busy, run }: TicketButtonProps) {
  const t = useTranslations('ticket')
  const closed = opensInSeconds > 0
  return (
    <button
      type="button"
      className="ticket-button"
      aria-disabled={closed || busy}
      title={closed ? t('cancelLater', { time: formatSeconds(opensInSeconds) }) : undefined}
      onClick={() => {
        if (!closed && !busy) run(verb)
      }}
    >
      {t(`action.${verb}`)}
      {closed ? <span className="tabular">{formatSeconds(opensInSeconds)}</span> : null}
    </button>
  )
}
