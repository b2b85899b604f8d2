import { useTranslations } from 'use-intl'
import type { TicketState as State } from '#contract/support/support-constants.ts'

const LOOKS: Record<State, string> = { open: 'text-muted', answered: 'text-received', closed: 'text-muted' }

export function TicketState({ state }: { state: State }) {
  const t = useTranslations('support')
  return (
    <span data-state={state} className={`text-[14px] whitespace-nowrap ${LOOKS[state]}`}>
      {t(`state.${state}`)}
    </span>
  )
}
