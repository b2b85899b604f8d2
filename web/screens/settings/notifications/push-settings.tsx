import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { useAlerts, useApi, useAppContext, useSession } from '#web/house/app-context.ts'
import { PUSH_QUERY, type PushAbility, pushAbility, turnPushOff, turnPushOn } from '#web/notifications/push-browser.ts'
import { SwitchRow } from '#web/screens/settings/other/switch-row.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const never = () => () => undefined

/** Renders the switch for push, which is off until the user turns it on, for this browser and this session. */
export function PushSettings() {
  const t = useTranslations('notifications.push')
  const ability = useSyncExternalStore<PushAbility | null>(never, pushAbility, () => null)
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {ability === null ? <Skeleton className="h-14" /> : null}
      {ability === 'able' ? <PushSwitch /> : null}
      {ability === 'blocked' ? <p className="text-muted">{t('blocked')}</p> : null}
      {ability === 'unable' ? <p className="text-muted">{t('unable')}</p> : null}
    </SettingsGroup>
  )
}

function PushSwitch() {
  const t = useTranslations('notifications.push')
  const api = useApi()
  const alerts = useAlerts()
  const { queryClient } = useAppContext()
  const { signedIn } = useSession()
  const { once } = useSingleFlight()
  const { data } = useQuery({
    queryKey: PUSH_QUERY,
    queryFn: ({ signal }) => api('GET /api/v1/push', {}, { signal }),
    enabled: signedIn,
  })
  if (data === undefined) return <Skeleton className="h-14" />
  const mine = data.subscriptions.find(({ current }) => current)
  const isGone = mine !== undefined && mine.gone_at !== null
  async function toggle(on: boolean): Promise<void> {
    if (!on && mine !== undefined) await turnPushOff(api, mine.id)
    if (on && !(await turnPushOn(api))) alerts.add({ type: 'error', text: t('refused') })
    await refetch(queryClient, { queryKey: PUSH_QUERY })
  }
  return (
    <SwitchRow
      label={t('here')}
      text={isGone ? t('gone') : t('hereText')}
      checked={mine !== undefined && !isGone}
      onChange={(on) => once(() => toggle(on))}
    />
  )
}
