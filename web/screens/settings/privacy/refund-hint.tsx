import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'

export function RefundHint({ className = '' }: { className?: string }) {
  const t = useTranslations('privacy.deletion')
  const path = routeNamed('support-create')?.path
  if (path === undefined) return null
  return (
    <p className={className}>
      {t.rich('refund', {
        support: (words) => (
          <Link to={path} className="underline underline-offset-4">
            {words}
          </Link>
        ),
      })}
    </p>
  )
}
