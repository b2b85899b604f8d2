import { createContext, useContext } from 'react'
import type { Screen } from '#web/loader-input.ts'
import type { Page, Pages } from './pages.ts'

/** The page that is drawn, and the way to others. web/navigation/page-view.tsx provides it. */
export const PageContext = createContext<{ page: Page; pages: Pages } | null>(null)

function usePageContext(): { page: Page; pages: Pages } {
  const value = useContext(PageContext)
  if (value === null) throw new Error('outside of a page')
  return value
}

export const usePages = (): Pages => usePageContext().pages

/** The data of the screen's own loader. */
export function useScreenData<Loader extends NonNullable<Screen['loader']>>(): Awaited<ReturnType<Loader>> {
  const { content } = usePageContext().page
  if ('error' in content) throw new Error('a page that failed has no data')
  // The data is kept untyped; the type argument names the loader that stands in the same file.
  return content.data as Awaited<ReturnType<Loader>>
}

/** Goes to another page. The same function in every rendering; it resolves when the page is shown. */
export const useNavigate = (): Pages['go'] => usePages().go
