import { Search, Star } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { normalizeText } from '../../forms/normalize-text.ts'
import { Button } from '../button.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { CatalogList } from './catalog-queries.ts'
import type { PickerItem } from './picker-row.tsx'
import { focusRow, PickerRows } from './picker-rows.tsx'
import { rankByName } from './rank.ts'
import { useFavorite } from './use-favorite.ts'

type PickerProps<Item extends PickerItem> = {
  kind: 'service' | 'country'
  list: CatalogList<Item>
  selectedId: Item['id'] | null
  /** The other half is not chosen: a price is the cheapest of several. */
  from: boolean
  signedIn: boolean
  renderIcon: (item: Item) => ReactNode
  onPick: (item: Item, byKeyboard: boolean) => void
  onWantAll: () => void
  /** Stands beside the search: the order of countries. */
  children?: ReactNode
}

/** One searchable list of the panel. Enter in the search picks the first found, the down arrow goes into the list. */
export function Picker<Item extends PickerItem>(props: PickerProps<Item>) {
  const { kind, list, signedIn } = props
  const t = useTranslations('buy')
  const root = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [favoritesOnly, setFavoritesOnly] = useState(false)
  const toggleFavorite = useFavorite(kind)
  const wanted = useDeferredValue(search)
  const found = useMemo(() => {
    const ranked = rankByName(list.items, wanted)
    return favoritesOnly ? ranked.filter((item) => item.is_favorite) : ranked
  }, [list.items, wanted, favoritesOnly])

  function pick(item: Item, byKeyboard: boolean): void {
    setSearch('')
    props.onPick(item, byKeyboard)
  }
  function onSearchKey(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      focusRow(root.current, 0)
    } else if (event.key === 'Enter' && search.trim() !== '') {
      // Not a purchase: the form must not see this Enter.
      event.preventDefault()
      const first = rankByName(list.items, search)[0]
      if (first !== undefined) pick(first, true)
    } else if (event.key === 'Escape' && search !== '') {
      event.preventDefault()
      setSearch('')
    }
  }

  return (
    <div ref={root} className="picker">
      <div className="flex items-center gap-1 px-4 pb-2">
        <label className="picker-search">
          <Search size={16} aria-hidden className="shrink-0 text-muted" />
          <input
            type="search"
            data-panel-search={kind}
            value={search}
            placeholder={t(`search.${kind}`)}
            aria-label={t(`search.${kind}`)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="done"
            onFocus={props.onWantAll}
            onChange={(event) => setSearch(normalizeText(event.target.value))}
            onKeyDown={onSearchKey}
          />
        </label>
        {props.children}
        {signedIn && (list.favorites > 0 || favoritesOnly) ? (
          <button
            type="button"
            className="picker-favorites"
            aria-pressed={favoritesOnly}
            aria-label={t('favoritesOnly', { count: list.favorites })}
            title={t('favoritesOnly', { count: list.favorites })}
            onClick={() => {
              props.onWantAll()
              setFavoritesOnly(!favoritesOnly)
            }}
          >
            <Star size={16} aria-hidden fill={favoritesOnly ? 'currentColor' : 'none'} />
            <span className="tabular text-[13px]">{list.favorites}</span>
          </button>
        ) : null}
      </div>
      {found.length === 0 ? (
        <PickerEmpty list={list} waits={!list.complete && !list.failed} />
      ) : (
        <div className="picker-list" data-stale={list.stale || undefined} aria-busy={list.stale}>
          <PickerRows
            key={`${wanted}\n${favoritesOnly}`}
            items={found}
            selectedId={props.selectedId}
            label={t(kind)}
            from={props.from}
            renderIcon={props.renderIcon}
            onPick={pick}
            onFavorite={signedIn ? ({ id, is_favorite }) => toggleFavorite({ id, isFavorite: is_favorite }) : null}
            onWantMore={props.onWantAll}
          />
        </div>
      )}
    </div>
  )
}

/** Instead of rows: they are on their way, could not be loaded, or nothing was found. */
function PickerEmpty({ list, waits }: { list: CatalogList<PickerItem>; waits: boolean }) {
  const t = useTranslations('buy')
  if (waits) {
    return (
      <div className="picker-rows flex flex-col gap-2 px-4 py-2" aria-busy="true">
        {[1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} className="h-12 shrink-0" />
        ))}
      </div>
    )
  }
  return (
    <div className="picker-rows flex flex-col items-start gap-3 px-4 py-4" role={list.failed ? 'alert' : 'status'}>
      <p className={list.failed ? 'text-error' : 'text-muted'}>{list.failed ? t('listFailed') : t('nothingFound')}</p>
      {list.failed ? <Button onClick={list.retry}>{t('retry')}</Button> : null}
    </div>
  )
}
