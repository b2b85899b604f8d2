import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { CodeLine } from './code-line.tsx'

export function Connect() {
  const t = useTranslations('keys.connect')
  const { page } = useAppContext()
  const address = `${page.publicUrl}/stubs/handler_api.php`
  const own = `curl -H "Authorization: Bearer $RINGPOST_KEY" "${page.publicUrl}/api/v1/activations" -H "content-type: application/json" -d '{"service_id":"tg","country_id":2}'`
  const links = [
    { to: routeNamed('doc')?.path, text: t('doc') },
    { to: '/faq/api/api-key', text: t('faq') },
  ]
  return (
    <div className="grid grid-cols-1 gap-3">
      <p>{t('handlerApi')}</p>
      <CodeLine text={address} label={t('copyAddress')} />
      <CodeLine
        text={`curl -H "Authorization: Bearer $RINGPOST_KEY" "${address}?action=getNumber&service=tg&country=2"`}
        label={t('copyCommand')}
      />
      <p className="mt-2">{t('own')}</p>
      <CodeLine text={own} label={t('copyOwn')} />
      <p className="mt-1 flex flex-wrap gap-x-6">
        {links.map(({ to, text }) =>
          to === undefined ? null : (
            <Link key={to} to={to} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
              {text}
            </Link>
          ),
        )}
      </p>
    </div>
  )
}
