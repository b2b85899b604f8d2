import { useCallback, useMemo } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import type { Pages } from './pages.ts'
import { useLocation, usePages } from './use-page.ts'

type SetSearchParams = (change: (before: URLSearchParams) => URLSearchParams, how?: Parameters<Pages['go']>[1]) => void

/** Returns the page's query and a function that changes the query. `change` receives the current query. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const pages = usePages()
  const { search } = useLocation()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const setParams = useCallback<SetSearchParams>(
    (change, how) => {
      const before = new URLSearchParams(pages.get().location.search)
      inBackground(pages.go({ search: change(before).toString() }, how))
    },
    [pages],
  )
  return [params, setParams]
}
