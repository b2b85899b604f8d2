import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DIALECT_NAMES, type KeyRecord } from '#contract/api-key.ts'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney, parseDecimal } from '#contract/money.ts'
import { useAlerts, useApi, useAppContext, useConfirm } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { LastUse } from '#web/screens/settings/sessions/last-use-time.tsx'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrency } from '#web/ui/first/price.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { KeyCalls } from './key-calls.tsx'
import { EditKeyForm } from './key-form.tsx'
import type { MadeSecret } from './new-secret.tsx'
import { RotateForm } from './rotate-form.tsx'

type Part = 'calls' | 'edit' | 'rotate'

type KeyRowProps = { record: KeyRecord; onSecret: (made: MadeSecret) => void; onRevoked: () => void }

export function KeyRow({ record, onSecret, onRevoked }: KeyRowProps) {
  const t = useTranslations('keys')
  const [part, setPart] = useState<Part | null>(null)
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const { pending, revoke } = useRevoke(record, () => {
    setPart(null)
    onRevoked()
  })
  const { name } = record
  const toggle = (wanted: Part) => setPart(part === wanted ? null : wanted)
  const toggleCalls = () => {
    toggle('calls')
    // What the calls spent stands above them.
    inBackground(askAgain(queryClient, { queryKey: ['keys'] }))
  }
  return (
    <li className="py-4 first:pt-0">
      <div className="flex gap-3.5">
        <KeyRound size={22} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium wrap-break-word">{name}</h3>
          <Facts record={record} />
          <div className="mt-2.5 flex flex-wrap gap-2">
            <Button aria-expanded={part === 'calls'} aria-label={t('callsOf', { name })} onClick={toggleCalls}>
              {t('calls')}
            </Button>
            <Button aria-expanded={part === 'edit'} aria-label={t('editOf', { name })} onClick={() => toggle('edit')}>
              {t('edit')}
            </Button>
            <Button
              aria-expanded={part === 'rotate'}
              aria-label={t('rotateOf', { name })}
              onClick={() => toggle('rotate')}
            >
              {t('rotate')}
            </Button>
            <Button aria-label={t('revokeOf', { name })} aria-disabled={pending} onClick={revoke}>
              {t('revoke')}
            </Button>
          </div>
        </div>
      </div>
      {part === 'calls' ? <KeyCalls id={record.id} /> : null}
      {part === 'edit' ? (
        <EditKeyForm
          record={record}
          onCancel={() => setPart(null)}
          onSaved={() => {
            setPart(null)
            alerts.add({ type: 'info', text: t('changed', { name }) })
          }}
        />
      ) : null}
      {part === 'rotate' ? (
        <RotateForm
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

/** What it may do, from where, what it spent, and when it was used. */
function Facts({ record }: { record: KeyRecord }) {
  const t = useTranslations('keys')
  const { addresses, dialect, last_used_at: usedAt, previous_until: until } = record
  return (
    <div className="mt-0.5 text-sm text-muted">
      <p>
        {record.scopes.map((scope) => t(`scopes.${scope}`)).join(', ')}
        {' · '}
        {usedAt === null ? t('neverUsed') : t.rich('used', { ago: () => <LastUse at={usedAt} /> })}
      </p>
      <Spent record={record} />
      {dialect === null ? null : <p>{t('speaks', { dialect: DIALECT_NAMES[dialect] })}</p>}
      {addresses.length === 0 ? null : <p className="font-mono break-all">{addresses.join(', ')}</p>}
      {until === null ? null : (
        <p className="text-soon">{t.rich('overlap', { until: () => <LocalMoment at={until} /> })}</p>
      )}
    </div>
  )
}

/** Of today in UTC. */
function Spent({ record }: { record: KeyRecord }) {
  const t = useTranslations('keys')
  const { locale } = useStore(useAppContext().language)
  const currency = useCurrency()
  const money = (amount: string) => formatMoney(amount, currency, locale)
  const { day_limit: limit, spent_today: spent, left_today: left, day_ends_at: endsAt } = record
  if (limit === null || left === null) return <p className="tabular">{t('spent', { amount: money(spent) })}</p>
  const amounts = { amount: money(spent), limit: money(limit), left: money(left) }
  const isUsedUp = (parseDecimal(left) ?? 0n) <= 0n
  return (
    <p className={isUsedUp ? 'tabular text-soon' : 'tabular'}>
      {t.rich(isUsedUp ? 'usedUp' : 'spentOf', { ...amounts, until: () => <LocalMoment at={endsAt} /> })}
    </p>
  )
}

function useRevoke({ id, name }: KeyRecord, onRevoked: () => void): { pending: boolean; revoke: () => void } {
  const t = useTranslations('keys')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function revoke(): Promise<void> {
    if (!(await confirm({ text: t('confirmRevoke', { name }), action: t('revoke'), force: true }))) return
    try {
      await api('DELETE /api/v1/keys/{id}', { id })
    } catch (error) {
      // A key that was revoked already is the wanted outcome.
      if (!(error instanceof CallError) || error.httpStatus !== 404) throw error
    }
    onRevoked()
    alerts.add({ type: 'info', text: t('revoked', { name }) })
    await askAgain(queryClient, { queryKey: ['keys'] })
  }
  return { pending, revoke: () => once(revoke) }
}
