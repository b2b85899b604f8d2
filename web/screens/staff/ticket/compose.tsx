import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { StaffMessageReply, StaffTicket } from '#contract/staff.ts'
import { MESSAGE_MAX_LENGTH } from '#contract/support.ts'
import { useApi } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/first/select-box.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { ANSWERS_KEY } from '../answers/answers-key.ts'
import { fillAnswer } from './fill-answer.ts'
import { TICKET_KEY } from './use-ticket-call.ts'

const KINDS = ['staff', 'note'] as const
type Kind = (typeof KINDS)[number]

/** An answer to the buyer, or a note for colleagues. What is written stays when it could not be sent. */
export function Compose({ ticket }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.reply')
  const [kind, setKind] = useState<Kind>('staff')
  const { text, setText, pending, send } = useWriting(ticket, kind)
  const fieldId = useId()
  const hintId = `${fieldId}-hint`
  const field = useRef<HTMLTextAreaElement>(null)
  if (!ticket.can_refund) return <p className="text-muted">{t('own')}</p>
  function insert(ready: string): void {
    setText(text.trim() === '' ? ready : `${text.trimEnd()}\n\n${ready}`)
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }
  return (
    <form
      aria-label={t('title')}
      onSubmit={submit}
      className={`rounded border p-4 ${kind === 'note' ? 'border-dashed border-soon bg-soon-wash' : 'border-hairline bg-surface'}`}
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <fieldset className={`flex ${SEGMENTS}`}>
          <legend className="sr-only">{t('kind')}</legend>
          {KINDS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={kind === one}
              className={segmentLook(kind === one)}
              onClick={() => setKind(one)}
            >
              {t(one)}
            </button>
          ))}
        </fieldset>
        {kind === 'staff' ? <ReadyAnswers ticket={ticket} onInsert={insert} /> : null}
      </div>
      <label htmlFor={fieldId} className="sr-only">
        {kind === 'staff' ? t('answerLabel') : t('noteLabel')}
      </label>
      <textarea
        ref={field}
        id={fieldId}
        rows={6}
        maxLength={MESSAGE_MAX_LENGTH}
        aria-describedby={hintId}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="block w-full rounded border border-edge bg-surface px-3 py-2 text-base text-ink"
      />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p id={hintId} className="min-w-0 flex-1 basis-60 text-sm text-muted">
          {kind === 'staff' ? t('hint') : t('noteHint')}
        </p>
        <Button type="submit" kind={kind === 'staff' ? 'primary' : 'plain'} aria-disabled={pending} aria-busy={pending}>
          {pending ? t('sending') : kind === 'staff' ? t('send') : t('sendNote')}
        </Button>
      </div>
    </form>
  )
}

function useWriting({ id, messages }: StaffTicket, kind: Kind) {
  const api = useApi()
  const fail = useFailure()
  const queryClient = useQueryClient()
  const { pending, pay } = usePaidCall<StaffMessageReply>()
  const [text, setText] = useState('')
  const seen = messages.at(-1)?.id ?? 0
  async function write(): Promise<void> {
    if (text.trim() === '') return
    const input = { id, kind, text, seen }
    try {
      const sent = await pay({
        about: JSON.stringify([id, kind, text]),
        send: (idempotencyKey) => api('POST /api/v1/staff/tickets/{id}/messages', input, { idempotencyKey }),
      })
      // What was typed meanwhile stays.
      if (sent !== null) setText((typed) => (typed === text ? '' : typed))
    } catch (error) {
      fail(error)
    } finally {
      await askAgain(queryClient, { queryKey: [TICKET_KEY] })
    }
  }
  return { text, setText, pending: pending !== null, send: () => inBackground(write()) }
}

/** In the buyer's language. */
function ReadyAnswers({ ticket, onInsert }: { ticket: StaffTicket; onInsert: (text: string) => void }) {
  const t = useTranslations('staff.reply')
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ANSWERS_KEY],
    queryFn: ({ signal }) => api('GET /api/v1/staff/answers', {}, { signal }),
  })
  const answers = data?.data ?? []
  if (answers.length === 0) return null
  return (
    <SelectBox
      label={t('canned')}
      value=""
      onChange={({ target }) => {
        const answer = answers.find(({ id }) => String(id) === target.value)
        if (answer !== undefined) onInsert(fillAnswer(answer[ticket.buyer.locale], ticket.buyer.name))
      }}
    >
      <option value="">{t('canned')}</option>
      {answers.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </SelectBox>
  )
}
