import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEY_CALLS_SHOWN, type KeyCallRecord } from '#contract/api-key.ts'
import { SECOND } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

const REFRESH_MS = 15 * SECOND
const SHOWN_FIRST = 10

const REFUSALS: Readonly<Record<string, 'addressRefused' | 'dayLimit'>> = {
  ADDRESS_REFUSED: 'addressRefused',
  KEY_DAY_LIMIT: 'dayLimit',
}

export function KeyCalls({ id }: { id: number }) {
  const t = useTranslations('keys')
  const api = useApi()
  const [all, setAll] = useState(false)
  const query = useQuery({
    queryKey: ['keys', 'calls', id],
    queryFn: ({ signal }) => api('GET /api/v1/keys/{id}/calls', { id }, { signal }),
    refetchInterval: REFRESH_MS,
    gcTime: 0,
  })
  const calls = query.data?.data
  if (calls === undefined) {
    return (
      <div className="mt-4">
        <NotLoaded query={query} skeletons={['h-9', 'h-8.5', 'h-8']} />
      </div>
    )
  }
  if (calls.length === 0) return <p className="mt-4 text-muted">{t('noCalls')}</p>
  return (
    <div className="mt-4">
      <ol className="divide-y divide-hairline rounded border border-hairline bg-surface px-4 py-1 text-sm">
        {calls.slice(0, all ? undefined : SHOWN_FIRST).map((call) => (
          <CallLine key={`${call.first_at} ${call.call} ${call.result} ${call.address}`} call={call} />
        ))}
      </ol>
      {all || calls.length <= SHOWN_FIRST ? null : (
        <TextButton onClick={() => setAll(true)}>{t('allCalls', { count: calls.length })}</TextButton>
      )}
      <p className="mt-2 text-sm text-muted">{t('callsText', { count: KEY_CALLS_SHOWN })}</p>
    </div>
  )
}

function CallLine({ call }: { call: KeyCallRecord }) {
  const t = useTranslations('keys')
  const refusal = REFUSALS[call.result]
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2">
      <LocalMoment at={call.last_at} className="min-w-24 text-muted" />
      <span className="min-w-0 flex-1 basis-40 font-mono break-all">{call.call}</span>
      <span className={refusal === undefined ? 'font-mono break-all' : 'text-error'}>
        {refusal === undefined ? call.result : t(refusal)}
        {call.count === 1 ? null : <span className="text-muted">{` ×${call.count}`}</span>}
      </span>
      <span className="tabular w-full text-muted">{t('from', { address: call.address })}</span>
    </li>
  )
}
