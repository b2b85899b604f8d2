import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { About, TicketReply } from '#contract/support/support.ts'
import { SUBJECT_MAX_LENGTH, SUPPORT_CATEGORIES, type SupportCategory } from '#contract/support/support-constants.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SUPPORT_KEY } from '#web/live/support-key.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { refetch } from '#web/session/refetch.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { useAboutNames } from '#web/support/about-line.tsx'
import { MessageFields } from '#web/support/message-fields.tsx'
import { useDraft } from '#web/support/use-draft.ts'
import { useMessageFiles } from '#web/support/use-message-files.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { firstDraft, keyOf, readTicketDraft, type TicketDraft } from './ticket-draft.ts'

type TicketFormProps = { choices: readonly About[]; wanted: About | undefined }

export function TicketForm({ choices, wanted }: TicketFormProps) {
  const t = useTranslations('support')
  const form = useTicketForm({ choices, wanted })
  const nameOf = useAboutNames()
  const { draft, change, errors } = form
  return (
    <form onSubmit={(event) => inBackground(form.submit(event))} noValidate className="mt-5 grid grid-cols-1 gap-4">
      <SelectBox
        label={t('categoryLabel')}
        labelShown
        value={draft.category}
        onChange={(event) => change({ category: event.target.value as SupportCategory })}
      >
        {SUPPORT_CATEGORIES.map((category) => (
          <option key={category} value={category}>
            {t(`category.${category}`)}
          </option>
        ))}
      </SelectBox>
      <SelectBox
        label={t('aboutLabel')}
        labelShown
        value={draft.about}
        onChange={(event) => change({ about: event.target.value })}
      >
        <option value="">{t('aboutNothing')}</option>
        {choices.map((about) => (
          <option key={keyOf(about)} value={keyOf(about)}>
            {nameOf(about)}
            {about.kind === 'payment' ? null : ` · ${about.id}`}
          </option>
        ))}
      </SelectBox>
      <TextField
        name="subject"
        label={t('subjectLabel')}
        autoComplete="off"
        maxLength={SUBJECT_MAX_LENGTH}
        value={draft.subject}
        onChange={(event) => change({ subject: event.target.value })}
        error={errors.subject}
      />
      <MessageFields
        label={t('textLabel')}
        rows={7}
        draft={draft}
        onChange={change}
        files={form.files}
        error={errors.text ?? errors.files}
      />
      <div>
        <Button
          type="submit"
          kind="primary"
          aria-disabled={form.waits}
          aria-busy={form.isPending}
          className="min-h-11 w-full sm:w-auto"
        >
          {t('send')}
        </Button>
      </div>
    </form>
  )
}

function useTicketForm({ choices, wanted }: TicketFormProps) {
  const t = useTranslations('support')
  const api = useApi()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const nameOf = useAboutNames()
  const { pending, pay } = usePaidCall<TicketReply>()
  const subject = wanted === undefined ? '' : t('subjectOf', { name: nameOf(wanted) }).slice(0, SUBJECT_MAX_LENGTH)
  const name = wanted === undefined ? 'new' : `new ${keyOf(wanted)}`
  const { draft, change, clear } = useDraft<TicketDraft>(name, firstDraft(wanted, subject), readTicketDraft)
  const files = useMessageFiles(draft.files, change)
  const waits = pending !== null || files.sending.length > 0

  const { errors, submit } = useSubmit({
    names: ['subject', 'text', 'files'],
    check: () => ({
      ...(draft.subject.trim() === '' && { subject: t('subjectMissing') }),
      ...(draft.text.trim() === '' && { text: t('textMissing') }),
    }),
    mayBeSent: () => !waits,
    send,
  })

  async function send(): Promise<void> {
    const about = choices.find((choice) => keyOf(choice) === draft.about)
    const input = {
      category: draft.category,
      subject: draft.subject.trim(),
      text: draft.text.trim(),
      files: draft.files.map(({ id }) => id),
      ...(about === undefined ? {} : { about: { kind: about.kind, id: about.id } }),
    }
    try {
      const reply = await pay({
        about: JSON.stringify(input),
        send: (idempotencyKey) => api('POST /api/v1/support/tickets', input, { idempotencyKey }),
      })
      if (reply === null) return
      clear()
      inBackground(refetch(queryClient, { queryKey: [SUPPORT_KEY] }))
      await navigate(`/support/${reply.data.id}`)
    } catch (error) {
      if (error instanceof CallError && error.errors.files !== undefined) change({ files: [] })
      throw error
    }
  }
  return { draft, change, errors, files, submit, waits, isPending: pending !== null }
}
