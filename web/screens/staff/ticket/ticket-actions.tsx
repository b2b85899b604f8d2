import { useTranslations } from 'use-intl'
import type { StaffTicket } from '#contract/staff/staff-room.ts'
import { SUPPORT_CATEGORIES } from '#contract/support/support-constants.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { useTicketCall } from './use-ticket-call.ts'

export function TicketActions({ ticket }: { ticket: StaffTicket }) {
  const t = useTranslations('staff')
  const tSupport = useTranslations('support')
  const api = useApi()
  const { pending, change } = useTicketCall()
  const { id, me, taken_by: taker } = ticket
  const isMine = taker?.id === me.id
  const isOwn = !ticket.can_refund
  return (
    <section aria-label={t('ticket.actions')} className="flex flex-wrap items-center gap-2">
      <p role="status" className={`mr-auto ${taker === null || isMine ? 'text-muted' : 'font-semibold text-soon'}`}>
        {taker === null ? t('ticket.free') : isMine ? t('ticket.takenByMe') : t('ticket.taken', { name: taker.name })}
      </p>
      {isOwn ? null : isMine ? (
        <Button
          aria-disabled={pending}
          onClick={() => change(() => api('POST /api/v1/staff/tickets/{id}/release', { id }))}
        >
          {t('ticket.release')}
        </Button>
      ) : (
        <Button
          aria-disabled={pending}
          onClick={() => change(() => api('POST /api/v1/staff/tickets/{id}/take', { id, from: taker?.id }))}
        >
          {taker === null ? t('ticket.take') : t('ticket.takeOver', { name: taker.name })}
        </Button>
      )}
      <SelectBox
        label={t('ticket.category')}
        value={ticket.category}
        disabled={isOwn}
        onChange={({ target }) => {
          const category = SUPPORT_CATEGORIES.find((one) => one === target.value)
          if (category !== undefined) {
            change(() => api('POST /api/v1/staff/tickets/{id}/category', { id, category }))
          }
        }}
      >
        {SUPPORT_CATEGORIES.map((category) => (
          <option key={category} value={category}>
            {tSupport(`category.${category}`)}
          </option>
        ))}
      </SelectBox>
    </section>
  )
}

/** Renders a ticket's actions, below the composer, because staff read and answer a ticket first. */
export function TicketEnd({ ticket: { id, state, can_refund: mayChange } }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.ticket')
  const api = useApi()
  const confirm = useConfirm()
  const { pending, change } = useTicketCall()
  if (!mayChange) return null
  async function close(): Promise<void> {
    if (!(await confirm({ text: t('confirmClose'), action: t('close') }))) return
    await api('POST /api/v1/staff/tickets/{id}/close', { id })
  }
  return state === 'closed' ? (
    <Button
      className="justify-self-start"
      aria-disabled={pending}
      onClick={() => change(() => api('POST /api/v1/staff/tickets/{id}/reopen', { id }))}
    >
      {t('reopen')}
    </Button>
  ) : (
    <Button className="justify-self-start" aria-disabled={pending} onClick={() => change(close)}>
      {t('close')}
    </Button>
  )
}
