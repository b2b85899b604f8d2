import { type ReactNode, type UIEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import { rankByName } from '#contract/formats/search-names.ts'
import { inBackground } from '#web/house/in-background.ts'
import { toggled } from '#web/house/toggled.ts'
import { Button } from '#web/ui/button.tsx'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'
import { SearchBox } from '#web/ui/fields/initial/search-box.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MAX_CHOSEN } from './address.ts'

const NEAR_END_PX = 160

type Item = { id: string | number; name: string }

type ChoiceListProps<Each extends Item> = {
  label: string
  query: { data: readonly Each[] | undefined; isError: boolean; refetch: () => Promise<unknown> }
  chosen: readonly Each['id'][]
  onChoose: (ids: Each['id'][]) => void
  renderIcon: (item: Each) => ReactNode
  single?: boolean
}

export function ChoiceList<Each extends Item>({ label, query, ...rest }: ChoiceListProps<Each>) {
  const t = useTranslations('history')
  if (query.data !== undefined) return <Choices label={label} items={query.data} {...rest} />
  if (query.isError) {
    return (
      <div role="alert" className="flex flex-col items-start gap-2 p-2">
        <p className="text-error">{t('namesFailed')}</p>
        <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
      </div>
    )
  }
  return (
    <div className="flex h-80 flex-col gap-2 p-2" aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="h-9 shrink-0" />
      ))}
    </div>
  )
}

type ChoicesProps<Each extends Item> = Omit<ChoiceListProps<Each>, 'query'> & { items: readonly Each[] }

function Choices<Each extends Item>({
  label,
  items,
  chosen,
  onChoose,
  renderIcon,
  single = false,
}: ChoicesProps<Each>) {
  const t = useTranslations('history')
  const group = useId()
  const field = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [pages, setPages] = useState(1)
  const wanted = useDeferredValue(search)
  const [first] = useState(chosen)
  const found = useMemo(() => rankByName(chosenFirst(items, first), wanted), [items, first, wanted])
  const shown = found.slice(0, pages * CLIENT_PAGE_SIZE)
  useEffect(() => {
    // The search field takes the focus only with a hardware keyboard, because a phone's keyboard would cover the list.
    if (matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])

  function onScroll({ currentTarget: list }: UIEvent<HTMLElement>): void {
    const below = list.scrollHeight - list.scrollTop - list.clientHeight
    if (below < NEAR_END_PX && shown.length < found.length) setPages(Math.ceil(shown.length / CLIENT_PAGE_SIZE) + 1)
  }
  return (
    <>
      <SearchBox
        ref={field}
        label={t('findName')}
        className="mb-1.5"
        value={search}
        onChange={(event) => {
          setSearch(normalizeText(event.target.value))
          setPages(1)
        }}
      />
      <fieldset className="h-68 overflow-auto overscroll-contain" onScroll={onScroll}>
        <legend className="sr-only">{label}</legend>
        {found.length === 0 ? <p className="px-2 py-2 text-muted">{t('nameNotFound')}</p> : null}
        {shown.map((item) => {
          const checked = chosen.includes(item.id)
          return (
            <label
              key={item.id}
              className="flex min-h-10 cursor-pointer items-center gap-3 rounded-sm px-2 hover:bg-sunken"
            >
              <input
                type={single ? 'radio' : 'checkbox'}
                className="size-4 shrink-0 accent-(--signal-fill)"
                name={single ? group : undefined}
                checked={checked}
                disabled={!single && !checked && chosen.length >= MAX_CHOSEN}
                onChange={() => onChoose(single ? [item.id] : toggled(chosen, item.id))}
              />
              {renderIcon(item)}
              <span className="truncate">{item.name}</span>
            </label>
          )
        })}
      </fieldset>
      {chosen.length === 0 ? null : (
        <Button className="mt-1.5 w-full" onClick={() => onChoose([])}>
          {t('clear')}
        </Button>
      )}
    </>
  )
}

function chosenFirst<Each extends Item>(items: readonly Each[], chosen: readonly Each['id'][]): readonly Each[] {
  if (chosen.length === 0) return items
  const isChosen = ({ id }: Each) => chosen.includes(id)
  return [...items.filter(isChosen), ...items.filter((item) => !isChosen(item))]
}
