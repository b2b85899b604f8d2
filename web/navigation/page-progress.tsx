import { useStore } from '#web/store.ts'
import { usePages } from './use-page.ts'

/** A line at the top while the next page is being fetched. It only shows when that takes a moment (styles.css). */
export function PageProgress() {
  const next = useStore(usePages().next)
  return next === null ? null : <div aria-hidden className="page-progress" />
}
