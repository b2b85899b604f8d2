import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { User } from '#contract/user.ts'
import { useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { CURRENCY_SIGNS } from '#web/ui/initial/price.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function Person() {
  const t = useTranslations('settings.person')
  const user = useUser()
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {user === null ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <dl className="-my-2 divide-y divide-hairline">
          <Fact name={t('email')} action={<EmailLink user={user} />}>
            {user.email === '' ? <span className="text-muted">{t('none')}</span> : user.email}
          </Fact>
          {user.name === '' ? null : <Fact name={t('name')}>{user.name}</Fact>}
          <Fact name={t('currency')}>{`${user.currency.toUpperCase()}, ${CURRENCY_SIGNS[user.currency]}`}</Fact>
          <Fact name={t('since')}>
            <LocalMoment at={user.created_at} withYear />
          </Fact>
          <Fact name={t('id')}>
            <span className="tabular">{user.id}</span>
          </Fact>
        </dl>
      )}
    </SettingsGroup>
  )
}

function EmailLink({ user }: { user: User }) {
  const t = useTranslations('settings.person')
  const security = routeNamed('settings-security')
  return security === undefined ? null : (
    <Link to={security.path} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
      {t(user.email === '' ? 'add' : 'change')}
    </Link>
  )
}

type FactProps = { name: string; action?: ReactNode; children: ReactNode }

function Fact({ name, action, children }: FactProps) {
  return (
    <div className="grid min-h-12 grid-cols-[8rem_minmax(0,1fr)_auto] items-center gap-x-3 py-1">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
      {action === undefined ? null : <dd>{action}</dd>}
    </div>
  )
}
