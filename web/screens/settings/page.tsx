import type { Calls } from '#contract/calls/calls.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { loadSeed, type Seed } from '#web/session/seeded-query.ts'
import { Leaving } from './account/leaving.tsx'
import { Person } from './account/person.tsx'
import { Profiles } from './account/profiles.tsx'
import { SettingsLayout } from './settings-layout.tsx'

export async function loader({ api, now }: LoaderInput): Promise<Seed<Calls['GET /api/v1/user/identities']['reply']>> {
  return loadSeed(now, api('GET /api/v1/user/identities', {}))
}

export function Page() {
  return (
    <SettingsLayout section="account">
      <Person />
      <Profiles seed={useScreenData<typeof loader>()} />
      <Leaving />
    </SettingsLayout>
  )
}
