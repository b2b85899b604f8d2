import { useTranslations } from 'use-intl'
import { useLocation } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'

export function TableSearch({ search, label }: { search: string; label?: string }) {
  const t = useTranslations('doc')
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const others = [...withoutSearch(params)]
  function searchFor(words: string): void {
    const asked = (before: URLSearchParams) =>
      new URLSearchParams([...(words === '' ? [] : [['search', words]]), ...withoutSearch(before)])
    setParams(asked, { replace: true, preventScrollReset: true })
  }
  return (
    <search>
      <form action={pathname} onSubmit={(event) => event.preventDefault()} className="flex max-w-md gap-2">
        <SearchField name="search" label={label ?? t('search')} search={search} onSearch={searchFor} className="grow" />
        {others.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}

/** Returns the other parameters, such as the language of examples, without the page, which a search begins anew. */
function withoutSearch(params: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(params)
  for (const name of ['search', 'page']) others.delete(name)
  return others
}
