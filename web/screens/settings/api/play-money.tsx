import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useAlerts, useApi, useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { Link } from '#web/navigation/link.tsx'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

const QUERY = ['sandbox']

export function PlayMoney() {
  const t = useTranslations('keys.play')
  const { locale } = useStore(useAppContext().language)
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  const query = useQuery({ queryKey: QUERY, queryFn: ({ signal }) => api('GET /api/v1/sandbox', {}, { signal }) })
  const account = query.data?.data
  async function fillUp(): Promise<void> {
    const filled = await api('POST /api/v1/sandbox/top-up', {})
    queryClient.setQueryData(QUERY, filled)
    const { balance, currency } = filled.data
    alerts.add({ type: 'info', text: t('filled', { amount: formatMoney(balance, currency, locale) }) })
  }
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {account === undefined ? (
        <NotLoaded query={query} skeletons={['h-20']} />
      ) : (
        <>
          <p className="tabular text-xl font-semibold">{formatMoney(account.balance, account.currency, locale)}</p>
          <p className="tabular mt-0.5 text-sm text-muted">
            {t('held', { amount: formatMoney(account.held, account.currency, locale) })}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
            <Button aria-disabled={pending} onClick={() => once(fillUp)}>
              {t(pending ? 'resetting' : 'reset')}
            </Button>
            <Link to="/faq/api/sandbox" className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
              {t('how')}
            </Link>
          </div>
          <p className="mt-3 text-sm text-muted">{t('hooks')}</p>
        </>
      )}
    </SettingsGroup>
  )
}
