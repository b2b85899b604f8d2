import type { Privacy } from '#contract/privacy.ts'
import { SECOND } from '#contract/time.ts'
import { useApi, useUser } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { Consents } from './consents.tsx'
import { DataFile } from './data-file.tsx'
import { DeleteAccount } from './delete-account.tsx'

const LOOK_EVERY_MS = 3 * SECOND

export async function loader({ api, now }: LoaderInput): Promise<Seed<Privacy>> {
  return loadSeed(now, api('GET /api/v1/privacy', {}))
}

export function Page() {
  const seed = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({
    name: 'privacy',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/privacy', {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.export?.state === 'waiting' ? LOOK_EVERY_MS : false),
  })
  const privacy = query.data
  const isGuest = useUser()?.guest === true
  return (
    <SettingsLayout section="privacy">
      {privacy === undefined ? (
        <div className="py-7">
          <NotLoaded query={query} skeletons={['h-28', 'h-40', 'h-24']} />
        </div>
      ) : (
        <>
          <DataFile privacy={privacy} />
          <DeleteAccount privacy={privacy} />
          {/* A guest has agreed to nothing yet. */}
          {isGuest ? null : <Consents consents={privacy.consents} />}
        </>
      )}
    </SettingsLayout>
  )
}
