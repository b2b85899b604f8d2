import type { Security } from '#contract/account.ts'
import type { Calls } from '#contract/calls/calls.ts'
import { useApi } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { EmailSettings } from './email-settings.tsx'
import { PasskeySettings } from './passkey-settings.tsx'
import { PasswordSettings } from './password-settings.tsx'
import { TwoFactorSettings } from './two-factor-settings.tsx'

type SecurityData = { security: Seed<Security>; passkeys: Seed<Calls['GET /api/v1/user/passkeys']['reply']> }

export async function loader({ api, now }: LoaderInput): Promise<SecurityData> {
  const [security, passkeys] = await Promise.all([
    loadSeed(now, api('GET /api/v1/user/security', {})),
    loadSeed(now, api('GET /api/v1/user/passkeys', {})),
  ])
  return { security, passkeys }
}

export function Page() {
  const { security: seed, passkeys } = useScreenData<typeof loader>()
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
          <PasskeySettings seed={passkeys} />
          <TwoFactorSettings security={security} />
          <EmailSettings security={security} />
        </>
      )}
    </SettingsLayout>
  )
}
