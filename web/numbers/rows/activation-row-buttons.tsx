import { Ban, Check, MessageSquarePlus, RefreshCw, RotateCw, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { type TicketAction, type TicketVerb, ticketActions } from '#web/numbers/ticket/ticket-actions.ts'
import { useTicketCall } from '#web/numbers/ticket/use-ticket-call.ts'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { type RowAction, RowButtons } from './row-buttons.tsx'

const ICONS: Record<TicketVerb, RowAction['Icon']> = {
  cancel: X,
  replace: RefreshCw,
  used: Ban,
  again: MessageSquarePlus,
  finish: Check,
  repeat: RotateCw,
  more: RotateCw,
  dismiss: X,
}

export function ActivationRowButtons({ record, name }: { record: ActivationRecord; name: string }) {
  const t = useTranslations('ticket')
  const { pending, run } = useTicketCall(record)
  // The hook selects a JSON string, so the component renders only if a shown second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(ticketActions(record, nowMs)))
  // The cast is safe, because the line above made the JSON string.
  const actions = (JSON.parse(offered) as TicketAction[]).map(({ verb, opensInSeconds }): RowAction => {
    const isClosed = opensInSeconds > 0
    const time = formatSeconds(opensInSeconds)
    return {
      verb,
      label: t(`action.${verb}`),
      Icon: ICONS[verb],
      time: isClosed ? time : undefined,
      tip: isClosed ? t('opensLater', { time }) : undefined,
      closed: isClosed || pending,
      onPress: () => run(verb),
    }
  })
  return <RowButtons kind="activation" id={record.id} name={name} actions={actions} />
}
