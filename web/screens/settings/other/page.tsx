import { useUser } from '#web/house/app-context.ts'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BuyingSettings } from './buying-settings.tsx'
import { CodeSettings } from './code-settings.tsx'
import { PlaceSettings } from './place-settings.tsx'
import { usePreferences } from './use-preferences.ts'

export function Page() {
  const settings = useUser()?.settings
  const wish = usePreferences()
  return (
    <SettingsLayout section="other">
      {settings === undefined ? (
        <div className="grid gap-6 py-7" aria-busy="true">
          <Skeleton className="h-56" />
          <Skeleton className="h-96" />
          <Skeleton className="h-72" />
        </div>
      ) : (
        <>
          <PlaceSettings settings={settings} wish={wish} />
          <BuyingSettings settings={settings} wish={wish} />
          <CodeSettings settings={settings} wish={wish} />
        </>
      )}
    </SettingsLayout>
  )
}
