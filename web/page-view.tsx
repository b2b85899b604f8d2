import {
  Component,
  type ComponentType,
  type ReactNode,
  startTransition,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { MainLayout } from './layouts/main.tsx'
import type { Page, Pages } from './navigation/pages.ts'
import { useScroll } from './navigation/scroll.ts'
import { PageContext } from './navigation/use-page.ts'

type ErrorView = ComponentType<{ error: unknown }>

export function PageView({ pages, ErrorLayout }: { pages: Pages; ErrorLayout: ErrorView }) {
  const [page, setPage] = useState(pages.get)
  useLayoutEffect(() => {
    // The page may have changed before this effect ran for the first time.
    setPage(pages.get())
    return pages.subscribe((next, how) => {
      // A transition keeps the current page until the next page's script has loaded.
      if (how.flushSync) flushSync(() => setPage(next))
      else startTransition(() => setPage(next))
    })
  }, [pages])
  useScroll(page)
  const context = useMemo(() => ({ page, pages }), [page, pages])
  const { content } = page
  return (
    <PageContext value={context}>
      {'error' in content ? (
        <ErrorLayout error={content.error} />
      ) : (
        <ErrorBoundary page={page} ErrorLayout={ErrorLayout}>
          <MainLayout>
            <content.screen.Page />
          </MainLayout>
        </ErrorBoundary>
      )}
    </PageContext>
  )
}

type BoundaryProps = { page: Page; ErrorLayout: ErrorView; children: ReactNode }
type BoundaryState = { failed: { error: unknown } | null; page: Page }

/** Shows the same error if a screen fails to render as if it fails to load. The next page clears the error. */
class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: null, page: this.props.page }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ page }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return page === state.page ? null : { failed: null, page }
  }

  override render(): ReactNode {
    const { ErrorLayout, children } = this.props
    return this.state.failed === null ? children : <ErrorLayout error={this.state.failed.error} />
  }
}
