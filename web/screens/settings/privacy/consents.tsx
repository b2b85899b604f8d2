import { useLocale, useTranslations } from 'use-intl'
import type { Privacy } from '#contract/privacy.ts'
import { Link } from '#web/navigation/link.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

const DOCUMENTS = ['terms-of-use', 'privacy-policy'] as const

export function Consents({ consents }: Pick<Privacy, 'consents'>) {
  const t = useTranslations('privacy.consents')
  const locale = useLocale()
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {consents.length === 0 ? <p className="text-muted">{t('none')}</p> : null}
      <ul className="divide-y divide-hairline">
        {consents.map(({ document, version, at }) => {
          const name = DOCUMENTS.find((one) => one === document)
          return (
            <li key={`${document} ${version}`} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <span>
                {name === undefined ? (
                  document
                ) : (
                  <Link to={`/${name}`} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
                    {t(name)}
                  </Link>
                )}{' '}
                {/* Only the day of a document's version is shown. A digest distinguishes versions of the same day. */}
                <span className="text-muted">{t('version', { version: formatDay(version.slice(0, 10), locale) })}</span>
              </span>
              <LocalMoment at={at} className="text-muted" />
            </li>
          )
        })}
      </ul>
    </SettingsGroup>
  )
}

/** Formats a document's day in UTC, because it belongs to no local time zone. */
function formatDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}
