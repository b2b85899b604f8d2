import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { AnswerWord } from '#contract/staff/answer-words.ts'
import type { StaffMessageReply, StaffTicket } from '#contract/staff/staff-room.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { EMPTY_MESSAGE, readMessageDraft } from '#web/support/message-draft.ts'
import { MessageFields } from '#web/support/message-fields.tsx'
import { useDraft } from '#web/support/use-draft.ts'
import { useMessageFiles } from '#web/support/use-message-files.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { ANSWERS_KEY } from '../answers/answers-key.ts'
import { TICKET_KEY } from './use-ticket-call.ts'
import { useTellWriting } from './writing/use-tell-writing.ts'

const NAME = '{name}'
/** Matches `{name}` and the comma before it, as in "Hello, {name}!". Without a name both are removed. */
const UNNAMED = /,?[ \t]*\{name\}/g
/** Markdown characters in a name are escaped. A buyer chooses the name, and it must not become a link or a heading. */
const MARKS = /[\\`*_[\]<>~#|]/g

const KINDS = ['staff', 'note'] as const
type Kind = (typeof KINDS)[number]

/** Renders the composer for answers to the buyer and notes for colleagues, which have separate drafts. */
export function Compose({ ticket }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.reply')
  const [kind, setKind] = useState<Kind>('staff')
  if (!ticket.can_refund) return <p className="text-muted">{t('own')}</p>
  return (
    <section
      aria-label={t('title')}
      className={`rounded border p-4 ${kind === 'note' ? 'border-dashed border-soon bg-soon-wash' : 'border-hairline bg-surface'}`}
    >
      <fieldset className={`mb-3 inline-flex ${SEGMENTS}`}>
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
      <Writing key={kind} ticket={ticket} kind={kind} onSent={() => setKind('staff')} />
    </section>
  )
}

function Writing({ ticket, kind, onSent }: { ticket: StaffTicket; kind: Kind; onSent: () => void }) {
  const t = useTranslations('staff.reply')
  const form = useRef<HTMLFormElement>(null)
  const { draft, change, files, wrong, waits, pending, send } = useWriting(ticket, { kind, onSent })
  function insert(ready: string): void {
    change(({ text }) => ({ text: text.trim() === '' ? ready : `${text.trimEnd()}\n\n${ready}` }))
    form.current?.querySelector('textarea')?.focus()
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    inBackground(send())
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {kind === 'note' ? (
        <p className="mb-2 text-sm text-soon">{t('noteHint')}</p>
      ) : (
        <ReadyAnswers ticket={ticket} onInsert={insert} />
      )}
      <MessageFields
        label={kind === 'staff' ? t('answerLabel') : t('noteLabel')}
        rows={5}
        draft={draft}
        onChange={change}
        files={files}
        error={wrong}
      />
      <Button
        type="submit"
        kind={kind === 'staff' ? 'primary' : 'plain'}
        aria-disabled={waits}
        aria-busy={pending}
        className="mt-4 min-h-11 w-full sm:w-auto"
      >
        {kind === 'staff' ? t('send') : t('sendNote')}
      </Button>
    </form>
  )
}

/** Holds the draft, also after a failure. A message without a reply is repeated with its idempotency key. */
function useWriting({ id, messages }: StaffTicket, { kind, onSent }: { kind: Kind; onSent: () => void }) {
  const t = useTranslations('staff.reply')
  const api = useApi()
  const fail = useFailure()
  const queryClient = useQueryClient()
  const { pending, pay } = usePaidCall<StaffMessageReply>()
  const [wrong, setWrong] = useState<string>()
  const newest = messages.at(-1)?.id ?? 0
  /** The newest message at the time when the writing began. A later message may be the answer of a colleague. */
  const seen = useRef<number | null>(null)
  const { draft, change: keep, clear } = useDraft(`staff ${kind} ${id}`, EMPTY_MESSAGE, readMessageDraft)
  const tellWriting = useTellWriting(id)
  const change: typeof keep = (next) => {
    if (draft.text === '') seen.current = newest
    tellWriting()
    keep(next)
  }
  const files = useMessageFiles(draft.files, change)
  const waits = pending !== null || files.sending.length > 0
  async function send(): Promise<void> {
    const text = draft.text.trim()
    setWrong(undefined)
    if (text === '') setWrong(t('empty'))
    if (text === '' || waits) return
    const written = { id, kind, text, files: draft.files.map((file) => file.id) }
    const input = { ...written, seen: seen.current ?? newest }
    try {
      const reply = await pay({
        about: JSON.stringify(written),
        send: (idempotencyKey) => api('POST /api/v1/staff/tickets/{id}/messages', input, { idempotencyKey }),
      })
      if (reply === null) return
      clear()
      onSent()
    } catch (error) {
      // The page now shows the colleague's message, so the next press sends the answer anyway.
      seen.current = null
      if (error instanceof CallError && error.errors.files !== undefined) change({ files: [] })
      const words = error instanceof CallError ? (error.errors.text ?? error.errors.files)?.[0] : undefined
      setWrong(words)
      if (words === undefined) fail(error)
    } finally {
      await refetch(queryClient, { queryKey: [TICKET_KEY] })
    }
  }
  return { draft, change, files, wrong, waits, pending: pending !== null, send }
}

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
      className="mb-3 block max-w-72"
      value=""
      onChange={({ target }) => {
        const answer = answers.find(({ id }) => String(id) === target.value)
        if (answer !== undefined)
          onInsert(fillAnswer(answer[ticket.buyer.locale], { name: ticket.buyer.name, ticket: ticket.id }))
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

export function fillAnswer(text: string, words: Record<AnswerWord, string | number>): string {
  const numbered = text.replaceAll('{ticket}', String(words.ticket))
  const known = String(words.name).replaceAll(/\s+/g, ' ').trim()
  if (known === '') return numbered.replaceAll(UNNAMED, '')
  return numbered.replaceAll(
    NAME,
    known.replaceAll(MARKS, (mark) => `\\${mark}`),
  )
}
