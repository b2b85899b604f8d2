import { Star } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'
import { SearchBox } from '#web/ui/fields/initial/search-box.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { CatalogList } from './catalog-queries.ts'
import type { PickerItem } from './picker-row.tsx'
import { focusRow, PickerRows } from './picker-rows.tsx'
import { useFavorite } from './use-favorite.ts'
import { useRanking } from './use-ranking.ts'
import { useSearchEnter } from './use-search-enter.ts'

type PickerProps<Item extends PickerItem> = {
  kind: 'service' | 'country'
  list: CatalogList<Item>
  selectedId: Item['id'] | null
  /** True if service or country is not chosen yet, so that a shown price is the lowest of several prices. */
  from: boolean
  signedIn: boolean
  renderIcon: (item: Item) => ReactNode
  onPick: (item: Item, byKeyboard: boolean) => void
  onWantAll: () => void
  children?: ReactNode
}

const COLUMN = 'flex min-h-0 flex-auto flex-col'

export function Picker<Item extends PickerItem>(props: PickerProps<Item>) {
  const { kind, list, signedIn } = props
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState('')
  const [favoritesOnly, setFavoritesOnly] = useState(false)
  const ranked = useRanking(useListed(list.items, favoritesOnly), wanted)
  const { found } = ranked

  const { onPick, onWantAll, renderIcon, selectedId, from } = props
  const clear = useCallback(() => {
    if (field.current !== null) field.current.value = ''
    setWanted('')
  }, [])
  const pick = useCallback(
    (item: Item, byKeyboard: boolean) => {
      clear()
      onPick(item, byKeyboard)
    },
    [clear, onPick],
  )
  const rows = useMemo(
    () => (
      <FoundRows
        kind={kind}
        items={found}
        contents={`${wanted}\n${favoritesOnly}`}
        signedIn={signedIn}
        selectedId={selectedId}
        from={from}
        renderIcon={renderIcon}
        onPick={pick}
        onWantMore={onWantAll}
      />
    ),
    [kind, found, wanted, favoritesOnly, signedIn, selectedId, from, renderIcon, pick, onWantAll],
  )
  // Enter waits for the whole list, because the first page may lack the best match.
  const enter = useSearchEnter(list.complete || list.failed, async () => {
    const item = await ranked.best(field.current?.value ?? '')
    if (item !== undefined) pick(item, true)
  })
  function beginSearch(): void {
    onWantAll()
    ranked.begin()
  }
  function onSearchKey(event: KeyboardEvent<HTMLInputElement>): void {
    // An input method (IME) handles this key, so the picker ignores it.
    if (event.nativeEvent.isComposing) return
    const search = event.currentTarget.value
    enter.forget()
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      focusRow(root.current, 0)
    } else if (event.key === 'Enter' && search.trim() !== '') {
      // The form must not receive this Enter key, because Enter in the form buys.
      event.preventDefault()
      beginSearch()
      enter.press()
    } else if (event.key === 'Escape' && search !== '') {
      event.preventDefault()
      clear()
    }
  }

  return (
    <div ref={root} className={COLUMN}>
      <div className="flex items-center gap-1 px-4 pb-2">
        <SearchInput
          ref={field}
          kind={kind}
          onBegin={beginSearch}
          onSearch={(search) => startTransition(() => setWanted(search))}
          onKeyDown={onSearchKey}
        />
        {props.children}
        {signedIn && (list.favorites > 0 || favoritesOnly) ? (
          <FavoritesOnly
            count={list.favorites}
            pressed={favoritesOnly}
            onPress={() => {
              onWantAll()
              setFavoritesOnly(!favoritesOnly)
            }}
          />
        ) : null}
      </div>
      <div className={`picker-list relative ${COLUMN}`} data-stale={list.stale || undefined} aria-busy={list.stale}>
        {rows}
        {found.length === 0 ? <PickerEmpty list={list} waits={!list.complete && !list.failed} /> : null}
      </div>
    </div>
  )
}

function useListed<Item extends PickerItem>(items: readonly Item[], favoritesOnly: boolean): readonly Item[] {
  return useMemo(() => (favoritesOnly ? items.filter((item) => item.is_favorite) : items), [items, favoritesOnly])
}

type SearchInputProps = {
  ref: RefObject<HTMLInputElement | null>
  kind: 'service' | 'country'
  onBegin: () => void
  onSearch: (search: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** Renders the search field, uncontrolled, so that a typed letter is painted before React renders the rows. */
function SearchInput({ ref, kind, onBegin, onSearch, onKeyDown }: SearchInputProps) {
  const t = useTranslations('buy')
  // The user may have typed the text before hydration, or the browser may have restored it.
  const searchTyped = useEffectEvent(() => {
    const typed = normalizeText(ref.current?.value ?? '')
    if (typed === '') return
    onBegin()
    onSearch(typed)
  })
  useEffect(() => searchTyped(), [])
  return (
    <SearchBox
      ref={ref}
      label={t(`search.${kind}`)}
      data-panel-search={kind}
      autoCapitalize="none"
      enterKeyHint="done"
      onFocus={onBegin}
      onChange={({ target }) => {
        const search = normalizeText(target.value)
        if (search !== target.value) target.value = search
        onSearch(search)
      }}
      onKeyDown={onKeyDown}
    />
  )
}

function FavoritesOnly({ count, pressed, onPress }: { count: number; pressed: boolean; onPress: () => void }) {
  const t = useTranslations('buy')
  return (
    <button
      type="button"
      className="-mr-3.5 inline-flex min-h-10 min-w-10 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
      aria-pressed={pressed}
      aria-label={t('favoritesOnly', { count })}
      title={t('favoritesOnly', { count })}
      onClick={onPress}
    >
      <Star size={16} aria-hidden fill={pressed ? 'currentColor' : 'none'} />
    </button>
  )
}

type FoundRowsProps<Item extends PickerItem> = Omit<
  ComponentProps<typeof PickerRows<Item>>,
  'label' | 'currency' | 'onFavorite'
> & {
  kind: 'service' | 'country'
  signedIn: boolean
}

function FoundRows<Item extends PickerItem>({ kind, signedIn, ...rows }: FoundRowsProps<Item>) {
  const t = useTranslations('buy')
  const currency = useCurrency()
  const toggleFavorite = useFavorite()
  const onFavorite = useCallback(
    ({ id, is_favorite }: Item) => toggleFavorite({ kind, id, isFavorite: is_favorite }),
    [kind, toggleFavorite],
  )
  return <PickerRows {...rows} label={t(kind)} currency={currency} onFavorite={signedIn ? onFavorite : null} />
}

/** The cover hides the list without removing it, so the layout does not shift if the next letter finds a match. */
const EMPTY =
  'absolute inset-0 flex flex-col gap-3 overflow-y-auto border-t border-hairline bg-surface p-4 contain-strict'

function PickerEmpty({ list, waits }: { list: CatalogList<PickerItem>; waits: boolean }) {
  const t = useTranslations('buy')
  if (waits) {
    return (
      <div className={EMPTY} aria-busy="true">
        {[1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} className="h-12 shrink-0" />
        ))}
      </div>
    )
  }
  return (
    <div className={EMPTY} role={list.failed ? 'alert' : 'status'}>
      <p className={list.failed ? 'text-error' : 'text-muted'}>{list.failed ? t('listFailed') : t('nothingFound')}</p>
      {list.failed ? (
        <Button className="self-start" onClick={list.retry}>
          {t('retry')}
        </Button>
      ) : null}
    </div>
  )
}
