import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { DIALECT_NAMES, type KeyRecord } from '#contract/api-key.ts'
import { formatMoney, parseDecimal } from '#contract/money.ts'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useStore } from '#web/house/stores/store.ts'
import { LastUse } from '#web/screens/settings/sessions/last-use-time.tsx'
import { refetch } from '#web/session/refetch.ts'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { KeyCalls } from './key-calls.tsx'
import { EditKeyForm } from './key-form.tsx'
import { RemoveAction } from './secrets/remove-action.tsx'
import { RotateSecret } from './secrets/rotate-secret.tsx'
import type { MadeSecret, RowProps } from './secrets/secret-list.tsx'
import { RowAction, SecretRow, usePart } from './secrets/secret-row.tsx'

type Part = 'calls' | 'edit' | 'rotate'

export function KeyRow({ record, onSecret, onRemoved }: RowProps<KeyRecord>) {
  const t = useTranslations('keys')
  const queryClient = useQueryClient()
  const { part, toggle, closeAnd } = usePart<Part>()
  const { name } = record
  const action = (word: Part) => ({
    words: { text: t(word), of: t(`${word}Of`, { name }) },
    open: part === word,
    onPress: () => toggle(word),
  })
  const toggleCalls = () => {
    toggle('calls')
    // The list of API keys shows the amount spent, which must fit the API calls that are listed now.
    inBackground(refetch(queryClient, { queryKey: ['keys'] }))
  }
  return (
    <SecretRow
      icon={KeyRound}
      name={name}
      facts={<Facts record={record} />}
      actions={
        <>
          <RowAction {...action('calls')} onPress={toggleCalls} />
          <RowAction {...action('edit')} />
          <RowAction {...action('rotate')} />
          <RevokeAction record={record} onRevoked={closeAnd(onRemoved)} />
        </>
      }
    >
      {part === 'calls' ? <KeyCalls id={record.id} /> : null}
      {part === 'edit' ? <EditKeyForm record={record} onDone={closeAnd()} /> : null}
      {part === 'rotate' ? <RotateForm record={record} onSecret={closeAnd(onSecret)} /> : null}
    </SecretRow>
  )
}

function Facts({ record }: { record: KeyRecord }) {
  const t = useTranslations('keys')
  const { addresses, dialect, last_used_at: usedAt, previous_until: until } = record
  return (
    <div className="mt-0.5 text-sm text-muted">
      {record.sandbox ? <p className="font-medium text-ink">{t('sandboxKey')}</p> : null}
      <p className="dotted">
        <span>{record.scopes.map((scope) => t(`scopes.${scope}`)).join(', ')}</span>
        <span>{usedAt === null ? t('neverUsed') : t.rich('used', { ago: () => <LastUse at={usedAt} /> })}</span>
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

function RevokeAction({ record: { id, name }, onRevoked }: { record: KeyRecord; onRevoked: () => void }) {
  const t = useTranslations('keys')
  const api = useApi()
  const words = { text: t('revoke'), of: t('revokeOf', { name }) }
  return (
    <RemoveAction
      words={{ ...words, confirm: t('confirmRevoke', { name }), done: t('revoked', { name }) }}
      list="keys"
      remove={() => api('DELETE /api/v1/keys/{id}', { id })}
      onRemoved={onRevoked}
    />
  )
}

type RotateFormProps = { record: KeyRecord; onSecret: (made: MadeSecret) => void }

function RotateForm({ record, onSecret }: RotateFormProps) {
  const t = useTranslations('keys')
  const api = useApi()
  const queryClient = useQueryClient()
  async function rotate(hours: number): Promise<void> {
    const input = { id: record.id, overlap_hours: hours }
    const { secret, data } = await api('POST /api/v1/keys/{id}/rotate', input)
    await refetch(queryClient, { queryKey: ['keys'] })
    onSecret({ id: data.id, name: data.name, secret })
  }
  const words = { text: t('rotateText'), label: t('overlapLabel'), submit: t('rotateNow') }
  return <RotateSecret words={words} overlapText={(overlap) => t('overlaps', overlap)} rotate={rotate} />
}
