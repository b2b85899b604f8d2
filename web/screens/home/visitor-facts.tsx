import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { ServiceItem } from '#contract/catalog.ts'
import { useChoice } from '#web/buying/picker/use-choice.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'

export function VisitorTitle() {
  const t = useTranslations('home')
  return (
    <div className="max-lg:-mb-6 lg:col-start-2">
      <p className="max-w-xl text-2xl font-semibold tracking-tight text-balance lg:text-4xl">{t('visitorTitle')}</p>
      <p className="mt-3 max-w-xl text-[17px] text-muted max-lg:hidden">{t('visitorText')}</p>
    </div>
  )
}

export function VisitorFacts({ services }: { services: readonly ServiceItem[] }) {
  const t = useTranslations('home')
  const isMeasured = services.some(({ success_share: share }) => share !== null)
  return (
    <div className="isolate flex min-w-0 flex-col gap-10 lg:col-start-2">
      <p className="max-w-xl text-[17px] text-muted lg:hidden">{t('visitorText')}</p>
      <Fact title={t('costTitle')} text={isMeasured ? `${t('costText')} ${t('costMeasured')}` : t('costText')}>
        <CostTable services={services.filter(({ price }) => price !== null)} />
      </Fact>
      <Fact title={t('noCodeTitle')} text={t('noCodeText')}>
        <p className="max-w-xl">{t('usedText')}</p>
      </Fact>
      <Fact title={t('programsTitle')} text={t('programsText')}>
        <ProgramAddress />
      </Fact>
    </div>
  )
}

function Fact({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <p className="max-w-xl">{text}</p>
      {children}
    </section>
  )
}

const CELL = 'border-b border-hairline py-1 pr-3 last:pr-0'
const FIRST_CELL = 'w-[46%] max-w-0 text-left'

function CostTable({ services }: { services: readonly ServiceItem[] }) {
  const t = useTranslations('home')
  const [choice, setChoice] = useChoice()
  return (
    <table className="w-full max-w-2xl border-collapse text-right whitespace-nowrap">
      <thead className="align-bottom text-[13px] whitespace-normal text-muted">
        <tr>
          <th scope="col" className={`${CELL} ${FIRST_CELL} font-normal`}>
            {t('service')}
          </th>
          {(['price', 'share', 'time'] as const).map((column) => (
            <th key={column} scope="col" className={`${CELL} font-normal`}>
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <CostRow
            key={service.id}
            service={service}
            onChoose={() => setChoice({ ...choice, serviceId: service.id })}
          />
        ))}
      </tbody>
    </table>
  )
}

function CostRow({ service, onChoose }: { service: ServiceItem; onChoose: () => void }) {
  const t = useTranslations('home')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  const currency = useCurrency()
  const { name, price, success_share: share, median_seconds: seconds } = service
  return (
    <tr>
      <th scope="row" className={`${CELL} ${FIRST_CELL}`}>
        <button
          type="button"
          className="flex min-h-10 w-full items-center gap-3 text-left font-medium hover:underline hover:underline-offset-4"
          title={t('choose', { name })}
          onClick={onChoose}
        >
          <Mark service={service} />
          <span className="truncate">{name}</span>
        </button>
      </th>
      <td className={CELL}>
        {price === null ? null : <Price amount={price} currency={currency} className="font-semibold" />}
      </td>
      {share === null ? (
        <td colSpan={2} className={`${CELL} text-muted`}>
          {t('notMeasured')}
        </td>
      ) : (
        <>
          <td className={`${CELL} tabular`}>{formatPercent(share, locale)}</td>
          <td className={`${CELL} tabular`}>
            {seconds === null ? '—' : tBuy('medianSeconds', { seconds: Math.max(1, Math.round(seconds)) })}
          </td>
        </>
      )}
    </tr>
  )
}

function ProgramAddress() {
  const t = useTranslations('home')
  const { page } = useAppContext()
  const address = `${page.publicUrl}/stubs/handler_api.php`
  const command = `curl "${address}?api_key=$RINGPOST_KEY&action=getNumber&service=tg&country=2"`
  return (
    <div className="overflow-hidden rounded border border-hairline bg-surface">
      <CodeLine text={address} label={t('copyAddress')} title={t('programsAddress')} />
      <CodeLine text={command} label={t('copyCommand')} />
    </div>
  )
}

function CodeLine({ text, label, title }: { text: string; label: string; title?: string }) {
  return (
    <div className="flex items-center gap-2 border-hairline py-1 pr-1 pl-4 not-first:border-t">
      <code title={title} className="min-w-0 flex-1 py-2 font-mono text-[13px] leading-snug break-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
