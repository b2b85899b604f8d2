import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'

export function TableSearch({ search, label }: { search: string; label?: string }) {
  const t = useTranslations('doc')
  const navigate = useNavigate()
  const { pathname } = useLocation()
  function searchFor(words: string): void {
    const query = words === '' ? '' : `?${new URLSearchParams({ search: words })}`
    inBackground(navigate(pathname + query, { replace: true, preventScrollReset: true }))
  }
  return (
    <search>
      <form action={pathname} onSubmit={(event) => event.preventDefault()} className="flex max-w-md gap-2">
        <SearchField name="search" label={label ?? t('search')} search={search} onSearch={searchFor} className="grow" />
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}
