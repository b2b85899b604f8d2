import type { Security } from '#contract/account.ts'
import { useApi } from '#web/app-context.ts'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/screens/settings/seeded-query.ts'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { EmailSettings } from './email-settings.tsx'
import { PasswordSettings } from './password-settings.tsx'
import { TwoFactorSettings } from './two-factor-settings.tsx'

export async function loader({ api, now }: LoaderInput): Promise<Seed<Security>> {
  return loadSeed(now, api('GET /api/v1/user/security', {}))
}

export function Page() {
  const seed = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({
    name: 'security',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/user/security', {}, { signal }),
  })
  const security = query.data
  return (
    <SettingsLayout section="security">
      {security === undefined ? (
        <div className="py-7">
          <NotLoaded query={query} skeletons={['h-72', 'h-28', 'h-52']} />
        </div>
      ) : (
        <>
          <PasswordSettings security={security} />
          <TwoFactorSettings security={security} />
          <EmailSettings security={security} />
        </>
      )}
    </SettingsLayout>
  )
}
