import { useQueryClient } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { WEBHOOK_EVENTS, type WebhookRecord } from '#contract/webhooks/webhook.ts'
import { useAlerts, useApi, useConfirm } from '#web/app-context.ts'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { Button } from '#web/ui/button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { Deliveries } from './deliveries.tsx'
import { RotateWebhook } from './rotate-webhook.tsx'
import { EditWebhookForm, wordOf } from './webhook-form.tsx'
import type { MadeWebhook } from './webhook-secret.tsx'

type Part = 'log' | 'edit' | 'rotate'

type WebhookRowProps = { record: WebhookRecord; onSecret: (made: MadeWebhook) => void; onDeleted: () => void }

export function WebhookRow({ record, onSecret, onDeleted }: WebhookRowProps) {
  const t = useTranslations('webhooks')
  const [part, setPart] = useState<Part | null>(null)
  const alerts = useAlerts()
  const { label } = record
  const toggle = (wanted: Part) => setPart(part === wanted ? null : wanted)
  return (
    <li className="py-4 first:pt-0">
      <div className="flex gap-3.5">
        <Webhook size={22} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium wrap-break-word">{label}</h3>
          <Facts record={record} />
          <div className="mt-2.5 flex flex-wrap gap-2">
            <PartButton word="log" label={label} part={part} onToggle={toggle} />
            <TestButton record={record} onSent={() => setPart('log')} />
            <PartButton word="edit" label={label} part={part} onToggle={toggle} />
            {record.form === 'field' ? null : <PartButton word="rotate" label={label} part={part} onToggle={toggle} />}
            <SwitchButton record={record} />
            <DeleteButton record={record} onDeleted={onDeleted} />
          </div>
        </div>
      </div>
      {part === 'log' ? <Deliveries id={record.id} /> : null}
      {part === 'edit' ? (
        <EditWebhookForm
          record={record}
          onCancel={() => setPart(null)}
          onSaved={() => {
            setPart(null)
            alerts.add({ type: 'info', text: t('changed', { label }) })
          }}
        />
      ) : null}
      {part === 'rotate' ? (
        <RotateWebhook
          record={record}
          onSecret={(made) => {
            setPart(null)
            onSecret(made)
          }}
        />
      ) : null}
    </li>
  )
}

type PartButtonProps = { word: Part; label: string; part: Part | null; onToggle: (part: Part) => void }

function PartButton({ word, label, part, onToggle }: PartButtonProps) {
  const t = useTranslations('webhooks')
  return (
    <Button aria-expanded={part === word} aria-label={t(`${word}Of`, { label })} onClick={() => onToggle(word)}>
      {t(word)}
    </Button>
  )
}

/** Where it leads, what it is told of, and whether it works. */
function Facts({ record }: { record: WebhookRecord }) {
  const t = useTranslations('webhooks')
  const { url, form, events, on, off_reason: reason, failing_since: since, previous_until: until } = record
  const all = events.length === WEBHOOK_EVENTS.length
  return (
    <div className="mt-0.5 text-sm text-muted">
      <p className="font-mono break-all">{url}</p>
      <p>
        {t(`shapes.${form}`)}
        {' · '}
        {all ? t('allEvents') : events.map((event) => t(`events.${wordOf(event)}`)).join(', ')}
      </p>
      {on ? null : <p className="text-error">{t(reason === null ? 'isOff' : `off.${reason}`)}</p>}
      {on && since !== null ? (
        <p className="text-soon">{t.rich('failing', { since: () => <LocalMoment at={since} /> })}</p>
      ) : null}
      {until === null ? null : (
        <p className="text-soon">{t.rich('overlap', { until: () => <LocalMoment at={until} /> })}</p>
      )}
    </div>
  )
}

/** What became of it stands in the log. */
function TestButton({ record: { id, label, on }, onSent }: { record: WebhookRecord; onSent: () => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function send(): Promise<void> {
    await api('POST /api/v1/webhooks/{id}/test', { id })
    onSent()
    await askAgain(queryClient, { queryKey: ['webhooks', 'deliveries', id] })
  }
  if (!on) return null
  return (
    <Button aria-label={t('testOf', { label })} aria-disabled={pending} onClick={() => once(send)}>
      {t('test')}
    </Button>
  )
}

function SwitchButton({ record: { id, label, on } }: { record: WebhookRecord }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function change(): Promise<void> {
    await api('PATCH /api/v1/webhooks/{id}', { id, on: !on })
    await askAgain(queryClient, { queryKey: ['webhooks'] })
  }
  const word = on ? 'turnOff' : 'turnOn'
  return (
    <Button aria-label={t(`${word}Of`, { label })} aria-disabled={pending} onClick={() => once(change)}>
      {t(word)}
    </Button>
  )
}

function DeleteButton({ record: { id, label }, onDeleted }: { record: WebhookRecord; onDeleted: () => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function remove(): Promise<void> {
    if (!(await confirm({ text: t('confirmDelete', { label }), action: t('delete'), force: true }))) return
    try {
      await api('DELETE /api/v1/webhooks/{id}', { id })
    } catch (error) {
      // One that is gone already is the wanted outcome.
      if (!(error instanceof CallError) || error.httpStatus !== 404) throw error
    }
    onDeleted()
    alerts.add({ type: 'info', text: t('deleted', { label }) })
    await askAgain(queryClient, { queryKey: ['webhooks'] })
  }
  return (
    <Button aria-label={t('deleteOf', { label })} aria-disabled={pending} onClick={() => once(remove)}>
      {t('delete')}
    </Button>
  )
}
