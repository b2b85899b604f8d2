import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { MessageReply, TicketRecord } from '#contract/support/support.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SUPPORT_KEY } from '#web/live/support-key.ts'
import { refetch } from '#web/session/refetch.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { EMPTY_MESSAGE, readMessageDraft } from '#web/support/message-draft.ts'
import { MessageFields } from '#web/support/message-fields.tsx'
import { useDraft } from '#web/support/use-draft.ts'
import { useMessageFiles } from '#web/support/use-message-files.ts'
import { Button } from '#web/ui/button.tsx'

/** Renders the form for a message. A message without a reply is sent again with its idempotency key, to appear once. */
export function ReplyForm({ ticket }: { ticket: TicketRecord }) {
  const t = useTranslations('support')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, pay } = usePaidCall<MessageReply>()
  const { draft, change, clear } = useDraft(String(ticket.id), EMPTY_MESSAGE, readMessageDraft)
  const files = useMessageFiles(draft.files, change)
  const waits = pending !== null || files.sending.length > 0

  const { errors, submit } = useSubmit({
    names: ['text', 'files'],
    check: () => ({ ...(draft.text.trim() === '' && { text: t('textMissing') }) }),
    mayBeSent: () => !waits,
    send,
  })

  async function send(): Promise<void> {
    const input = { id: ticket.id, text: draft.text.trim(), files: draft.files.map(({ id }) => id) }
    try {
      const reply = await pay({
        about: JSON.stringify(input),
        send: (idempotencyKey) => api('POST /api/v1/support/tickets/{id}/messages', input, { idempotencyKey }),
      })
      if (reply === null) return
      clear()
      await refetch(queryClient, { queryKey: [SUPPORT_KEY] })
    } catch (error) {
      if (error instanceof CallError && error.errors.files !== undefined) change({ files: [] })
      throw error
    }
  }
  return (
    <form onSubmit={(event) => inBackground(submit(event))} noValidate className="mt-6 border-t border-hairline pt-5">
      <MessageFields
        label={ticket.state === 'closed' ? t('replyClosed') : t('reply')}
        rows={4}
        draft={draft}
        onChange={change}
        files={files}
        error={errors.text ?? errors.files}
      />
      <Button
        type="submit"
        kind="primary"
        aria-disabled={waits}
        aria-busy={pending !== null}
        className="mt-4 min-h-11 w-full sm:w-auto"
      >
        {t('send')}
      </Button>
    </form>
  )
}
