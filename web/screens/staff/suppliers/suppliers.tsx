import { useTranslations } from 'use-intl'
import type { ShownSupplier, SuppliersReply } from '#contract/staff/supply.ts'
import { SUPPLY_REFRESH_SECONDS } from '#contract/staff/supply-constants.ts'
import { SECOND } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StaffLayout } from '../staff-layout.tsx'
import { requireStillThere, StaffNotLoaded } from '../staff-not-loaded.tsx'
import { Figures } from './figures.tsx'
import { byTrouble, StandingMark, StandingText } from './standing.tsx'
import { SUPPLIERS_KEY } from './suppliers-key.ts'

export async function loadSuppliers({ api, now }: LoaderInput): Promise<Seed<SuppliersReply>> {
  return loadSeed(now, api('GET /api/v1/staff/suppliers', {}))
}

export function Suppliers({ seed }: { seed: Seed<SuppliersReply> }) {
  const t = useTranslations('supply')
  const api = useApi()
  const query = useSeededQuery({
    name: SUPPLIERS_KEY,
    seed,
    refetchInterval: SUPPLY_REFRESH_SECONDS * SECOND,
    queryFn: ({ signal }) => api('GET /api/v1/staff/suppliers', {}, { signal }),
  })
  requireStillThere(query)
  const suppliers = query.data?.data
  return (
    <StaffLayout title={t('title')}>
      <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-1 mb-4 text-muted">{t('text')}</p>
      {suppliers === undefined ? (
        <StaffNotLoaded query={query} skeletons={['h-44', 'h-43', 'h-42']} />
      ) : suppliers.length === 0 ? (
        <EmptyState drawing="switchboard" title={t('none')} text={t('noneText')} />
      ) : (
        <ul className="grid gap-3">
          {suppliers.toSorted(byTrouble).map((supplier) => (
            <SupplierRow key={supplier.code} supplier={supplier} />
          ))}
        </ul>
      )}
    </StaffLayout>
  )
}

function SupplierRow({ supplier }: { supplier: ShownSupplier }) {
  const t = useTranslations('supply')
  const standing = supplier.alarms.filter(({ since }) => since !== null)
  return (
    <li className="relative grid gap-3 rounded border border-hairline bg-surface p-4 hover:bg-sunken">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={`/staff/suppliers/${encodeURIComponent(supplier.code)}`}
            className="text-lg font-semibold wrap-anywhere after:absolute after:inset-0 hover:underline"
          >
            {supplier.code}
          </Link>
          <span className="text-muted">{supplier.kind}</span>
          <StandingMark supplier={supplier} />
          {standing.length === 0 ? null : (
            <span className="text-sm font-semibold text-error">
              {t('alarmsStand', { count: standing.length })}
              {standing.every(({ muted_until: until }) => until !== null) ? ` (${t('muted')})` : null}
            </span>
          )}
        </p>
        <StandingText supplier={supplier} />
      </div>
      <Figures supplier={supplier} />
    </li>
  )
}
