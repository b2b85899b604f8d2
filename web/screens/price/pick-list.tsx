import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { DirectoryItem } from '#contract/content.ts'
import type { DirectoryKind } from '#web/catalogue/directory-paths.ts'
import { ItemIcon } from '#web/catalogue/item-icon.tsx'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { useNavigate } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { type PricesSeed, useItems } from './use-prices.ts'

const KINDS = ['services', 'countries'] as const
const PARAM = { services: 'service', countries: 'country' } as const

/** Renders what the board may be about: services or countries, the popular ones first. */
export function PickList({ by, chosenId, seed }: { by: DirectoryKind; chosenId: string | null; seed: PricesSeed }) {
  const t = useTranslations('priceList')
  const [params] = useSearchParams()
  const [search, setSearch] = useState('')
  const items = useItems(by, search, seed)
  const navigate = useNavigate()
  function pickFound(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const words = normalizeText(String(new FormData(event.currentTarget).get(PARAM[by]) ?? '')).trim()
    if (words !== '') inBackground(navigate(boardPath(params, by, words), { preventScrollReset: true }))
  }
  return (
    <>
      <nav aria-label={t('viewLabel')} className={`mb-3 flex ${SEGMENTS} p-px!`}>
        {KINDS.map((kind) => (
          <Link
            key={kind}
            to={boardPath(params, kind, '')}
            aria-current={kind === by ? 'page' : undefined}
            className={segmentLook(kind === by)}
          >
            {t(`view.${kind}`)}
          </Link>
        ))}
      </nav>
      <form action="/price" onSubmit={pickFound} className="flex">
        {by === 'countries' ? <input type="hidden" name="by" value="country" /> : null}
        <SearchField
          name={PARAM[by]}
          label={t(`find.${by}`)}
          search={search}
          onSearch={setSearch}
          className="min-h-11!"
        />
      </form>
      {items.length === 0 ? (
        <p className="py-4 text-muted">{t('noneTitle')}</p>
      ) : (
        <ul
          aria-label={t(`list.${by}`)}
          className="mt-2 lg:max-h-[calc(100dvh-15rem)] lg:min-h-60 lg:overflow-y-auto lg:overscroll-contain"
        >
          {items.map((item) => (
            <li key={item.id}>
              <PickRow
                item={item}
                to={boardPath(params, by, String(item.id))}
                isChosen={String(item.id) === chosenId}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function PickRow({ item, to, isChosen }: { item: DirectoryItem; to: string; isChosen: boolean }) {
  const currency = useCurrency()
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={isChosen ? 'true' : undefined}
      className="flex min-h-11 items-center gap-2.5 rounded px-2 py-1 hover:bg-sunken aria-[current=true]:bg-signal-wash aria-[current=true]:font-semibold"
    >
      <span className="flex w-7 shrink-0 justify-center">
        <ItemIcon item={item} />
      </span>
      <span className="min-w-0 grow truncate">{item.name}</span>
      {item.price === null ? null : (
        <Price amount={item.price} currency={currency} className="text-[13px] font-normal text-muted" />
      )}
    </Link>
  )
}

/** Returns the path of the board about another service or country, in the same order and with the same least share. */
function boardPath(params: URLSearchParams, by: DirectoryKind, id: string): string {
  const next = new URLSearchParams()
  if (by === 'countries') next.set('by', 'country')
  if (id !== '') next.set(PARAM[by], id)
  for (const name of ['sort', 'min_share']) {
    const value = params.get(name)
    if (value !== null) next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '/price' : `/price?${text}`
}
