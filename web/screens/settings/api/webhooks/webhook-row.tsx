import { useQueryClient } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { WEBHOOK_EVENTS, type WebhookRecord } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { RemoveAction } from '../secrets/remove-action.tsx'
import { RotateSecret } from '../secrets/rotate-secret.tsx'
import type { MadeSecret, RowProps } from '../secrets/secret-list.tsx'
import { RowAction, SecretRow, usePart } from '../secrets/secret-row.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditWebhookForm, wordOf } from './webhook-form.tsx'

type Part = 'log' | 'edit' | 'rotate'

export function WebhookRow({ record, onSecret, onRemoved }: RowProps<WebhookRecord>) {
  const t = useTranslations('webhooks')
  const { part, show, toggle, closeAnd } = usePart<Part>()
  const { label } = record
  const action = (word: Part) => ({
    words: { text: t(word), of: t(`${word}Of`, { label }) },
    open: part === word,
    onPress: () => toggle(word),
  })
  return (
    <SecretRow
      icon={Webhook}
      name={label}
      facts={<Facts record={record} />}
      actions={
        <>
          <RowAction {...action('log')} />
          <TestAction record={record} onSent={() => show('log')} />
          <RowAction {...action('edit')} />
          {record.form === 'field' ? null : <RowAction {...action('rotate')} />}
          <SwitchAction record={record} />
          <DeleteAction record={record} onDeleted={closeAnd(onRemoved)} />
        </>
      }
    >
      {part === 'log' ? <Deliveries id={record.id} /> : null}
      {part === 'edit' ? <EditWebhookForm record={record} onDone={closeAnd()} /> : null}
      {part === 'rotate' ? <RotateWebhook record={record} onSecret={closeAnd(onSecret)} /> : null}
    </SecretRow>
  )
}

function Facts({ record }: { record: WebhookRecord }) {
  const t = useTranslations('webhooks')
  const { url, form, events, on, off_reason: reason, failing_since: since, previous_until: until } = record
  const all = events.length === WEBHOOK_EVENTS.length
  return (
    <div className="mt-0.5 text-sm text-muted">
      <p className="font-mono break-all">{url}</p>
      <p className="dotted">
        <span>{t(`shapes.${form}`)}</span>
        <span>{all ? t('allEvents') : events.map((event) => t(`events.${wordOf(event)}`)).join(', ')}</span>
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

function TestAction({ record: { id, label, on }, onSent }: { record: WebhookRecord; onSent: () => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function send(): Promise<void> {
    await api('POST /api/v1/webhooks/{id}/test', { id })
    onSent()
    await refetch(queryClient, { queryKey: ['webhooks', 'deliveries', id] })
  }
  if (!on) return null
  const words = { text: t('test'), of: t('testOf', { label }) }
  return <RowAction words={words} pending={pending} onPress={() => once(send)} />
}

function SwitchAction({ record: { id, label, on } }: { record: WebhookRecord }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function change(): Promise<void> {
    await api('PATCH /api/v1/webhooks/{id}', { id, on: !on })
    await refetch(queryClient, { queryKey: ['webhooks'] })
  }
  const word = on ? 'turnOff' : 'turnOn'
  const words = { text: t(word), of: t(`${word}Of`, { label }) }
  return <RowAction words={words} pending={pending} onPress={() => once(change)} />
}

function DeleteAction({ record: { id, label }, onDeleted }: { record: WebhookRecord; onDeleted: () => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const words = { text: t('delete'), of: t('deleteOf', { label }) }
  return (
    <RemoveAction
      words={{ ...words, confirm: t('confirmDelete', { label }), done: t('deleted', { label }) }}
      list="webhooks"
      remove={() => api('DELETE /api/v1/webhooks/{id}', { id })}
      onRemoved={onDeleted}
    />
  )
}

function RotateWebhook({ record, onSecret }: { record: WebhookRecord; onSecret: (made: MadeSecret) => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  async function rotate(hours: number): Promise<void> {
    const { data, secret } = await api('POST /api/v1/webhooks/{id}/rotate', { id: record.id, overlap_hours: hours })
    await refetch(queryClient, { queryKey: ['webhooks'] })
    if (secret !== null) onSecret({ id: data.id, name: data.label, secret })
  }
  const words = { text: t('rotateText'), label: t('overlapLabel'), submit: t('rotateNow') }
  return <RotateSecret words={words} overlapText={(overlap) => t('overlaps', overlap)} rotate={rotate} />
}
