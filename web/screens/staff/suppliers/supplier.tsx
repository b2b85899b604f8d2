import { ArrowLeft } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { SupplierReply } from '#contract/staff/supply.ts'
import { SUPPLIER_CODE_MAX_LENGTH, SUPPLY_REFRESH_SECONDS } from '#contract/staff/supply-constants.ts'
import { SECOND } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { type LoaderInput, notThere } from '#web/navigation/loader-input.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { StaffLayout } from '../staff-layout.tsx'
import { requireStillThere, StaffNotLoaded } from '../staff-not-loaded.tsx'
import { Alarms } from './alarms.tsx'
import { CallsTable } from './calls-table.tsx'
import { Events } from './events.tsx'
import { Figures } from './figures.tsx'
import { PauseSales } from './pause-sales.tsx'
import { SilentNumbers } from './silent-numbers.tsx'
import { StandingMark, StandingText } from './standing.tsx'
import { SUPPLIER_KEY } from './suppliers-key.ts'

export type SupplierSeed = Seed<SupplierReply> & { code: string }

export async function loadSupplier({ api, now, params }: LoaderInput): Promise<SupplierSeed> {
  const { code = '' } = params
  if (code === '' || code.length > SUPPLIER_CODE_MAX_LENGTH) throw notThere()
  return { code, ...(await loadSeed(now, api('GET /api/v1/staff/suppliers/{code}', { code }))) }
}

export function Supplier({ seed: { code, ...seed } }: { seed: SupplierSeed }) {
  const t = useTranslations('supply')
  const api = useApi()
  const query = useSeededQuery({
    name: SUPPLIER_KEY,
    seed,
    refetchInterval: SUPPLY_REFRESH_SECONDS * SECOND,
    queryFn: ({ signal }) => api('GET /api/v1/staff/suppliers/{code}', { code }, { signal }),
  })
  requireStillThere(query)
  const reply = query.data
  return (
    <StaffLayout title={code}>
      <Link to="/staff/suppliers" className="inline-flex min-h-10 items-center gap-1.5 text-muted hover:text-ink">
        <ArrowLeft size={16} aria-hidden />
        {t('back')}
      </Link>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{code}</h1>
      {reply === undefined ? (
        <div className="mt-4">
          <StaffNotLoaded query={query} skeletons={['h-24', 'h-44', 'h-52']} />
        </div>
      ) : (
        <SupplierView reply={reply} />
      )}
    </StaffLayout>
  )
}

function SupplierView({ reply }: { reply: SupplierReply }) {
  const { data: supplier } = reply
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-muted">{supplier.kind}</span>
        <StandingMark supplier={supplier} />
      </p>
      <StandingText supplier={supplier} />
      <div className="mt-4 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_auto_1fr]">
        <div className="rounded border border-hairline bg-surface p-4">
          <Figures supplier={supplier} />
        </div>
        <div className="grid gap-6 lg:col-start-2 lg:row-span-3 lg:row-start-1">
          <PauseSales supplier={supplier} />
          <Alarms supplier={supplier} isWatched={reply.alarms_watched} />
          <SilentNumbers silent={reply.silent} />
        </div>
        <CallsTable calls={reply.calls} />
        <Events key={supplier.code} code={supplier.code} newest={reply} />
      </div>
    </>
  )
}
