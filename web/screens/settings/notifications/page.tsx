import type { Calls } from '#contract/calls/calls.ts'
import { useApi } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { TelegramSettings } from '#web/screens/settings/telegram/telegram-settings.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { ChannelTable } from './channel-table.tsx'
import { LimitForm } from './limit-form.tsx'
import { PushSettings } from './push-settings.tsx'
import { NOTIFICATION_SETTINGS_KEY } from './use-change-settings.ts'

type Reply = Calls['GET /api/v1/notifications/settings']['reply']

export async function loader({ api, now }: LoaderInput): Promise<Seed<Reply>> {
  return loadSeed(now, api('GET /api/v1/notifications/settings', {}))
}

export function Page() {
  const seed = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({
    name: NOTIFICATION_SETTINGS_KEY,
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/notifications/settings', {}, { signal }),
  })
  return (
    <SettingsLayout section="notifications">
      {query.data === undefined ? (
        <NotLoaded query={query} skeletons={['mt-8 h-72', 'h-40']} />
      ) : (
        <>
          <ChannelTable settings={query.data} />
          <TelegramSettings />
          <PushSettings />
          <LimitForm settings={query.data} />
        </>
      )}
    </SettingsLayout>
  )
}
