import { createContext, useContext } from 'react'
import type { Screen } from './loader-input.ts'
import type { Page, Pages } from './pages.ts'

export const PageContext = createContext<{ page: Page; pages: Pages } | null>(null)

function usePageContext(): { page: Page; pages: Pages } {
  const value = useContext(PageContext)
  if (value === null) throw new Error('outside of a page')
  return value
}

export const useLocation = (): Page['location'] => usePageContext().page.location

export const useArrival = (): Page['action'] => usePageContext().page.action

export const usePages = (): Pages => usePageContext().pages

export function useScreenData<Loader extends NonNullable<Screen['loader']>>(): Awaited<ReturnType<Loader>> {
  const { content } = usePageContext().page
  if ('error' in content) throw new Error('a page that failed has no data')
  // The cast is needed, because loader data is untyped. The type argument names the loader in the screen's file.
  return content.data as Awaited<ReturnType<Loader>>
}

/** Returns a function that navigates, always the same one. Its promise resolves when the page is shown. */
export const useNavigate = (): Pages['go'] => usePages().go
