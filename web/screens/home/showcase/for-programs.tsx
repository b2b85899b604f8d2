import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { exampleOf } from './example.ts'
import type { ShownPair } from './use-shown-pair.ts'

type Way = {
  name: string
  /** The line as programs of other services have it; null if there is none. */
  before: string | null
  line: string
  /** The query or the line that follows. */
  call: string
  reply: string
}

/** Shows in which line a program differs, for each protocol, and what it is answered. */
export function ForPrograms({ pair }: { pair: ShownPair }) {
  const t = useTranslations('home')
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState(0)
  const ways = useWays(pair)
  const way = ways[place] ?? ways[0]
  if (way === undefined) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = (place + step + ways.length) % ways.length
    setPlace(next)
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
    event.preventDefault()
  }
  return (
    <section className="min-w-0">
      <h2 className="text-lg font-semibold tracking-tight">{t('programsTitle')}</h2>
      <p className="mt-1 max-w-xl">{t('programsText')}</p>
      <div className="mt-3 overflow-hidden rounded border border-hairline bg-surface">
        <div
          ref={tabs}
          role="tablist"
          aria-label={t('programsTabs')}
          className="flex overflow-x-auto border-b border-hairline bg-sunken"
        >
          {ways.map(({ name }, at) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${at}`}
              aria-selected={at === place}
              aria-controls={`${id}-panel`}
              tabIndex={at === place ? 0 : -1}
              onClick={() => setPlace(at)}
              onKeyDown={onKeyDown}
              className="min-h-11 px-4 font-mono text-[13px] whitespace-nowrap text-muted not-first:border-l border-hairline hover:text-ink focus-visible:-outline-offset-3 aria-selected:bg-surface aria-selected:font-semibold aria-selected:text-ink aria-selected:inset-shadow-[0_2px_0_var(--signal-bright)]"
            >
              {name}
            </button>
          ))}
        </div>
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${place}`}
          className="overflow-x-auto font-mono text-[13px] leading-relaxed whitespace-pre"
        >
          <div className="w-max min-w-full">
            <ChangedLine way={way} />
            <pre className="px-4 pb-3 text-muted">{way.call}</pre>
            <p className="border-t border-hairline px-4 pt-3 font-sans text-muted">
              <span className="sticky left-4">{t('reply')}</span>
            </p>
            <pre className="min-h-20 px-4 pt-1 pb-4 text-received">{way.reply}</pre>
          </div>
        </div>
      </div>
    </section>
  )
}

function ChangedLine({ way: { before, line } }: { way: Way }) {
  const t = useTranslations('home')
  return (
    <div className="py-3">
      {before === null ? null : (
        <p className="px-4 text-muted line-through decoration-edge">
          <span className="sr-only">{t('before')} </span>
          {before}
        </p>
      )}
      <div className="flex items-center gap-2 border-l-3 border-signal-bright bg-signal-wash pr-1 pl-3.25">
        <p className="flex-1 py-2">
          <span className="sr-only">{t('now')} </span>
          {line}
        </p>
        <span className="sticky right-1 rounded bg-signal-wash">
          <CopyButton text={line} label={t('copyLine')} />
        </span>
      </div>
    </div>
  )
}

const ORDER_ID = 100_000_001

function useWays({ service, country, price }: ShownPair): Way[] {
  const { page } = useAppContext()
  const currency = useCurrency()
  const site = page.publicUrl
  const { phone } = exampleOf(service, country)
  const wish = `service_id: '${service.id}', country_id: ${country.id}`
  const record = { id: ORDER_ID, state: 'waiting', phone, price, currency }
  const reply = `{ "status": true, "data": ${spaced(record).slice(0, -1)}, … } }`
  return [
    {
      name: 'handler_api',
      before: 'https://old.service/stubs/handler_api.php',
      line: `${site}/stubs/handler_api.php`,
      call: `?api_key=$RINGPOST_KEY&action=getNumber&service=${service.id}&country=${country.id}`,
      reply: `ACCESS_NUMBER:${ORDER_ID}:${phone}`,
    },
    {
      name: '5sim',
      before: 'https://5sim.net/v1',
      line: `${site}/v1`,
      call: 'GET /user/buy/activation/kazakhstan/any/telegram',
      reply:
        '{ "id": 100000001, "phone": "+77050100001", "operator": "altel",\n  "product": "telegram", "status": "PENDING", … }',
    },
    {
      name: 'curl',
      before: null,
      line: `curl ${site}/api/v1/activations \\`,
      call: `  -H "Authorization: Bearer $RINGPOST_KEY" \\\n  --json '{ "service_id": "${service.id}", "country_id": ${country.id} }'`,
      reply,
    },
    {
      name: 'TypeScript',
      before: null,
      line: `const ringpost = createRingpost({ site: '${site}', key })`,
      call: `const { data } = await ringpost.activations.create({ ${wish} })`,
      reply,
    },
  ]
}

/** Writes a flat record as JSON with spaces, as people read it. */
function spaced(record: object): string {
  return JSON.stringify(record, null, 1).replaceAll('\n', '')
}
