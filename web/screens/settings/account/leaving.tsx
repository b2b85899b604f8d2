import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { useSignOut } from '#web/session/use-sign-out.ts'
import { Button } from '#web/ui/button.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

/** Shows the ways out: the end of this session, the page of all sessions, and the page where an account is deleted. */
export function Leaving() {
  const t = useTranslations('settings.leaving')
  const signOut = useSignOut()
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button onClick={signOut}>{t('signOut')}</Button>
        <SectionLink route="settings-sessions" text={t('sessions')} />
        <SectionLink route="settings-privacy" text={t('delete')} />
      </div>
    </SettingsGroup>
  )
}

function SectionLink({ route, text }: { route: 'settings-sessions' | 'settings-privacy'; text: string }) {
  const path = routeNamed(route)?.path
  return path === undefined ? null : (
    <Link to={path} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
      {text}
    </Link>
  )
}
