import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Calls } from '#contract/calls/calls.ts'
import { SECOND } from '#contract/time.ts'
import { useAlerts, useApi, useConfirm } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { refetch } from '#web/session/refetch.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { SessionRow } from './session-row.tsx'

const REFRESH_MS = 30 * SECOND

export async function loader({ api, now }: LoaderInput): Promise<Seed<Calls['GET /api/v1/user/sessions']['reply']>> {
  return loadSeed(now, api('GET /api/v1/user/sessions', {}))
}

export function Page() {
  const t = useTranslations('settings.sessions')
  const seed = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({
    name: 'sessions',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/user/sessions', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const sessions = query.data?.sessions
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  return (
    <SettingsLayout section="sessions">
      <SettingsGroup title={t('title')} text={t('text')}>
        {sessions === undefined ? (
          <NotLoaded query={query} skeletons={['h-16', 'h-15', 'h-14']} />
        ) : (
          <ul className="-my-2.5 divide-y divide-hairline">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
        {sessions === undefined ? null : others === 0 ? (
          <p className="mt-4 text-muted">{t('noOthers')}</p>
        ) : (
          <EndOthers count={others} />
        )}
      </SettingsGroup>
    </SettingsLayout>
  )
}

function EndOthers({ count }: { count: number }) {
  const t = useTranslations('settings.sessions')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function endOthers(): Promise<void> {
    if (!(await confirm({ text: t('confirmOthers', { count }), action: t('endOthers') }))) return
    const { ended } = await api('DELETE /api/v1/user/sessions', {})
    alerts.add({ type: 'info', text: t('ended', { count: ended }) })
    await refetch(queryClient, { queryKey: ['sessions'] })
  }
  return (
    <Button className="mt-6" aria-disabled={pending} onClick={() => once(endOthers)}>
      {t('endOthers')}
    </Button>
  )
}
