import type { Api } from '#contract/calls/calls.ts'
import { CATALOG_VERSION } from '#contract/constants.ts'
import { useApi, useUser } from '#web/app-context.ts'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/screens/settings/seeded-query.ts'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { BuyingSettings, type OfferedNames } from './buying-settings.tsx'
import { CodeSettings } from './code-settings.tsx'
import { PlaceSettings } from './place-settings.tsx'
import { usePreferences } from './use-preferences.ts'

export async function loader({ api, now }: LoaderInput): Promise<Seed<OfferedNames>> {
  return loadSeed(now, loadNames(api))
}

export function Page() {
  const seed = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({ name: 'offered-names', seed, queryFn: () => loadNames(api) })
  const settings = useUser()?.settings
  const wish = usePreferences()
  return (
    <SettingsLayout section="other">
      {settings === undefined || query.data === undefined ? (
        <div className="py-7">
          <NotLoaded query={query} skeletons={['h-56', 'h-96', 'h-72']} />
        </div>
      ) : (
        <>
          <PlaceSettings settings={settings} wish={wish} />
          <BuyingSettings settings={settings} wish={wish} names={query.data} />
          <CodeSettings settings={settings} wish={wish} />
        </>
      )}
    </SettingsLayout>
  )
}

/** Names alone, because the page carries them. */
async function loadNames(api: Api): Promise<OfferedNames> {
  const all = { version: CATALOG_VERSION, load: 'all' } as const
  const [{ services }, { countries }] = await Promise.all([
    api('GET /api/services', all),
    api('GET /api/countries', { ...all, sort: 'name' }),
  ])
  return {
    services: services.map(({ id, name }) => ({ id, name })),
    countries: countries.map(({ id, name }) => ({ id, name })),
  }
}
