import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
import { maxLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { Choice, Choices } from '#web/ui/fields/choices.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { type FormWords, SecretForm } from '../secrets/secret-form.tsx'
import type { MakeProps } from '../secrets/secret-list.tsx'

export function MakeWebhookForm({ onMade, onCancel }: MakeProps) {
  const t = useTranslations('webhooks.form')
  const api = useApi()
  const words = { title: t('title'), submit: t('submit'), submitting: t('submitting'), cancel: t('cancel') }
  async function make({ form, ...input }: Chosen): Promise<() => void> {
    const { data, secret } = await api('POST /api/v1/webhooks', { ...input, form })
    return () => onMade(secret === null ? null : { id: data.id, name: data.label, secret })
  }
  return <Form known={null} words={words} send={make} onCancel={onCancel} />
}

/** Renders the form that changes a webhook, but not its secret. A new URL requires the password. */
export function EditWebhookForm({ record, onDone }: { record: WebhookRecord; onDone: () => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const alerts = useAlerts()
  const words = { title: t('form.editTitle', { label: record.label }), submit: t('form.save') }
  async function save({ label, url, events }: Chosen): Promise<() => void> {
    const input = { id: record.id, label, events, ...(url !== record.url && { url }) }
    await api('PATCH /api/v1/webhooks/{id}', input)
    return () => {
      onDone()
      alerts.add({ type: 'info', text: t('changed', { label: record.label }) })
    }
  }
  return (
    <Form
      known={record}
      words={{ ...words, submitting: t('form.saving'), cancel: t('form.cancel') }}
      send={save}
      onCancel={onDone}
    />
  )
}

type Chosen = { label: string; url: string; form: WebhookForm; events: WebhookEvent[] }

type FormProps = {
  known: WebhookRecord | null
  words: FormWords
  /** Resolves to a function that runs after the list of webhooks has been refetched. */
  send: (chosen: Chosen) => Promise<() => void>
  onCancel: () => void
}

function Form({ known, words, send, onCancel }: FormProps) {
  const t = useTranslations('webhooks.form')
  const queryClient = useQueryClient()
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
      await refetch(queryClient, { queryKey: ['webhooks'] })
      done()
    },
  })
  return (
    <SecretForm words={words} form={form} onCancel={onCancel}>
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
        error={noEvent && chosen.length === 0 ? t('noEvent') : undefined}
        onChoose={(event, on) => setEvents(on ? [...events, event] : events.filter((one) => one !== event))}
      />
    </SecretForm>
  )
}

function Shapes({ shape, onChoose }: { shape: WebhookForm; onChoose: (shape: WebhookForm) => void }) {
  const t = useTranslations('webhooks')
  return (
    <Choices legend={t('form.shape')}>
      {WEBHOOK_FORMS.map((one) => (
        <Choice
          key={one}
          type="radio"
          name="form"
          label={t(`shapes.${one}`)}
          text={t(`shapeTexts.${one}`)}
          checked={shape === one}
          onChange={() => onChoose(one)}
        />
      ))}
    </Choices>
  )
}

type EventsProps = {
  offered: readonly WebhookEvent[]
  chosen: readonly WebhookEvent[]
  error: string | undefined
  onChoose: (event: WebhookEvent, on: boolean) => void
}

function Events({ offered, chosen, error, onChoose }: EventsProps) {
  const t = useTranslations('webhooks')
  return (
    <Choices legend={t('form.events')} error={error}>
      <div className="grid sm:grid-cols-2">
        {offered.map((event) => (
          <Choice
            key={event}
            type="checkbox"
            label={t(`events.${wordOf(event)}`)}
            checked={chosen.includes(event)}
            onChange={({ currentTarget }) => onChoose(event, currentTarget.checked)}
          />
        ))}
      </div>
    </Choices>
  )
}

type Joined<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name

/** Returns the text key of an event. The dot of the event is replaced, because it would separate two levels of keys. */
export function wordOf<Name extends WebhookEvent | 'test'>(event: Name): Joined<Name> {
  // The cast is safe, because the type Joined describes the same replacement.
  return event.replace('.', '_') as Joined<Name>
}
