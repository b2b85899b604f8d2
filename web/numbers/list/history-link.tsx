import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useApi, useSession } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { buttonLook } from '#web/ui/button.tsx'

export function HistoryLink() {
  const t = useTranslations('activations')
  const api = useApi()
  const { status } = useSession()
  const path = routeNamed('history')?.path
  const { data } = useQuery({
    queryKey: ['has-history'],
    queryFn: ({ signal }) => api('GET /api/v1/history', { mode: 'activation' }, { signal }),
    enabled: status === 'authenticated',
    // The reply is not cached, because a number may have ended since.
    staleTime: 0,
  })
  if (path === undefined || data === undefined || data.history.data.length === 0) return null
  return (
    <Link to={path} className={buttonLook('plain')}>
      {t('history')}
    </Link>
  )
}
