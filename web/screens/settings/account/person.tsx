import { useTranslations } from 'use-intl'
import { useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

export function Person() {
  const t = useTranslations('settings.person')
  const user = useUser()
  const security = routeNamed('settings-security')
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 lg:-mt-2">
        {user === null ? (
          <Skeleton className="h-5 w-56" />
        ) : user.email === '' ? (
          <p className="text-muted">{t('none')}</p>
        ) : (
          <p className="font-semibold break-all">{user.email}</p>
        )}
        {user === null || security === undefined ? null : (
          <Link to={security.path} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
            {t(user.email === '' ? 'add' : 'change')}
          </Link>
        )}
      </div>
    </SettingsGroup>
  )
}
