import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import type { Calls } from '#contract/calls/calls.ts'
import { addressWithPasskeys, createPasskey, type PasskeyObstacle, passkeyObstacle } from '#web/account/passkeys.ts'
import { useAlerts, useApi, useAppContext } from '#web/house/app-context.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { refetch } from '#web/session/refetch.ts'
import { type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { PasskeyRow } from './passkey-row.tsx'

type PasskeySettingsProps = { seed: Seed<Calls['GET /api/v1/user/passkeys']['reply']> }

export function PasskeySettings({ seed }: PasskeySettingsProps) {
  const t = useTranslations('settings.passkeys')
  const api = useApi()
  const query = useSeededQuery({
    name: 'passkeys',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/user/passkeys', {}, { signal }),
  })
  const passkeys = query.data?.passkeys
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {passkeys === undefined ? (
        <NotLoaded query={query} skeletons={['h-16']} />
      ) : (
        <>
          {passkeys.length === 0 ? (
            <p className="mb-4">{t('none')}</p>
          ) : (
            <ul className="-mt-2.5 mb-4 divide-y divide-hairline">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )}
          <AddPasskey count={passkeys.length} />
        </>
      )}
    </SettingsGroup>
  )
}

const never = () => () => undefined

/** Renders the button for a new passkey, also before the browser has reported that it supports passkeys. */
function AddPasskey({ count }: { count: number }) {
  const t = useTranslations('settings.passkeys')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  const obstacle = useSyncExternalStore(never, passkeyObstacle, () => null)
  async function add(): Promise<void> {
    const credential = await createPasskey(await api('POST /api/v1/user/passkeys/begin', {})).catch(
      (error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
        alerts.add({ type: 'info', text: t('hasOne') })
        return null
      },
    )
    if (credential === null) return
    await api('POST /api/v1/user/passkeys', { name: t('newName', { number: count + 1 }), credential })
    alerts.add({ type: 'info', text: t('added') })
    await refetch(queryClient, { queryKey: ['passkeys'] })
  }
  if (obstacle !== null) return <Obstacle obstacle={obstacle} />
  return (
    <Button aria-disabled={pending} onClick={() => once(add)}>
      {t('add')}
    </Button>
  )
}

function Obstacle({ obstacle }: { obstacle: PasskeyObstacle }) {
  const t = useTranslations('settings.passkeys')
  const { page } = useAppContext()
  const named = obstacle === 'browser' ? null : addressWithPasskeys(page.publicUrl)
  return (
    <p className="text-muted">
      {t(`unable.${obstacle}`)}{' '}
      {named === null
        ? null
        : t.rich('openAt', {
            link: () => (
              <a href={named} className="font-medium break-all text-ink underline underline-offset-4">
                {named}
              </a>
            ),
          })}
    </p>
  )
}
