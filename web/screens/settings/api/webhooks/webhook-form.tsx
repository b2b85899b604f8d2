import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  CODE_EVENTS,
  MAX_WEBHOOK_LABEL,
  MAX_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMS,
  type WebhookEvent,
  type WebhookForm,
  type WebhookRecord,
} from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/app-context.ts'
import { maxLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { MadeWebhook } from './webhook-secret.tsx'

type MakeProps = { onMade: (made: MadeWebhook | null) => void; onCancel: () => void }

export function MakeWebhookForm({ onMade, onCancel }: MakeProps) {
  const t = useTranslations('webhooks.form')
  const api = useApi()
  const words = { title: t('title'), submit: t('submit'), submitting: t('submitting') }
  async function make({ form, ...input }: Chosen): Promise<() => void> {
    const { data, secret } = await api('POST /api/v1/webhooks', { ...input, form })
    return () => onMade(secret === null ? null : { id: data.id, label: data.label, secret })
  }
  return <Form known={null} words={words} send={make} onCancel={onCancel} />
}

type EditProps = { record: WebhookRecord; onSaved: () => void; onCancel: () => void }

/** The secret stays. Another address asks for the password. */
export function EditWebhookForm({ record, onSaved, onCancel }: EditProps) {
  const t = useTranslations('webhooks.form')
  const api = useApi()
  const words = { title: t('editTitle', { label: record.label }), submit: t('save'), submitting: t('saving') }
  async function save({ label, url, events }: Chosen): Promise<() => void> {
    const input = { id: record.id, label, events, ...(url !== record.url && { url }) }
    await api('PATCH /api/v1/webhooks/{id}', input)
    return onSaved
  }
  return <Form known={record} words={words} send={save} onCancel={onCancel} />
}

type Chosen = { label: string; url: string; form: WebhookForm; events: WebhookEvent[] }

type FormProps = {
  known: WebhookRecord | null
  words: { title: string; submit: string; submitting: string }
  /** Resolves to what is done once the list is there anew. */
  send: (chosen: Chosen) => Promise<() => void>
  onCancel: () => void
}

function Form({ known, words, send, onCancel }: FormProps) {
  const t = useTranslations('webhooks.form')
  const queryClient = useQueryClient()
  const root = useRef<HTMLFormElement>(null)
  const [shape, setShape] = useState<WebhookForm>(known?.form ?? 'standard')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(known?.events ?? WEBHOOK_EVENTS)
  const [noEvent, setNoEvent] = useState(false)
  const offered: readonly WebhookEvent[] = shape === 'field' ? CODE_EVENTS : WEBHOOK_EVENTS
  const chosen = offered.filter((event) => events.includes(event))
  const form = useForm({
    initial: { label: known?.label ?? '', url: known?.url ?? '' },
    rules: { label: [required, maxLength(MAX_WEBHOOK_LABEL)], url: [required, maxLength(MAX_WEBHOOK_URL)] },
    labels: { label: t('label'), url: t('url') },
    mayBeSent: () => {
      setNoEvent(chosen.length === 0)
      return chosen.length > 0
    },
    send: async ({ label, url }) => {
      const done = await send({ label: label.trim(), url: url.trim(), form: shape, events: chosen })
      await askAgain(queryClient, { queryKey: ['webhooks'] })
      done()
    },
  })
  // The pressed button has unmounted.
  useEffect(() => root.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={root}
      noValidate
      method="post"
      aria-label={words.title}
      className="grid gap-5 not-first:mt-4 rounded border border-hairline bg-surface p-4 sm:p-5"
      onSubmit={(event) => inBackground(form.submit(event))}
    >
      <h3 className="text-lg font-semibold">{words.title}</h3>
      <TextField {...form.text('label')} maxLength={MAX_WEBHOOK_LABEL} autoComplete="off" placeholder={t('example')} />
      <TextField
        {...form.text('url')}
        type="url"
        maxLength={MAX_WEBHOOK_URL}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/webhook"
        className="[&_input]:font-mono"
      />
      {known === null ? <Shapes shape={shape} onChoose={setShape} /> : null}
      <Events
        offered={offered}
        chosen={chosen}
        error={noEvent && chosen.length === 0 ? t('noEvent') : null}
        onChoose={(event, on) => setEvents(on ? [...events, event] : events.filter((one) => one !== event))}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" aria-disabled={form.sending}>
          {form.sending ? words.submitting : words.submit}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

function Shapes({ shape, onChoose }: { shape: WebhookForm; onChoose: (shape: WebhookForm) => void }) {
  const t = useTranslations('webhooks')
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t('form.shape')}</legend>
      {WEBHOOK_FORMS.map((one) => (
        <label key={one} className="flex min-h-10 items-start gap-3 py-1.5">
          <input
            type="radio"
            name="form"
            checked={shape === one}
            className="mt-0.5 size-5 shrink-0 accent-(--signal-fill)"
            onChange={() => onChoose(one)}
          />
          <span>
            {t(`shapes.${one}`)}
            <span className="block text-sm text-muted">{t(`shapeTexts.${one}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type EventsProps = {
  offered: readonly WebhookEvent[]
  chosen: readonly WebhookEvent[]
  error: string | null
  onChoose: (event: WebhookEvent, on: boolean) => void
}

function Events({ offered, chosen, error, onChoose }: EventsProps) {
  const t = useTranslations('webhooks')
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t('form.events')}</legend>
      <div className="grid sm:grid-cols-2">
        {offered.map((event) => (
          <label key={event} className="flex min-h-10 items-center gap-3">
            <input
              type="checkbox"
              checked={chosen.includes(event)}
              className="size-5 shrink-0 accent-(--signal-fill)"
              onChange={({ currentTarget }) => onChoose(event, currentTarget.checked)}
            />
            {t(`events.${wordOf(event)}`)}
          </label>
        ))}
      </div>
      <div role="alert">{error === null ? null : <p className="text-sm text-error">{error}</p>}</div>
    </fieldset>
  )
}

type Joined<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name

/** A point would lead deeper into the texts. */
export function wordOf<Name extends WebhookEvent | 'test'>(event: Name): Joined<Name> {
  // The type does what the replacement does.
  return event.replace('.', '_') as Joined<Name>
}
