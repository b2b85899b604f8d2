import { useStore } from '#web/house/stores/store.ts'
import { usePages } from './use-page.ts'

/** Renders the progress bar, which styles.css delays, so a fast navigation shows none. */
export function PageProgress() {
  const next = useStore(usePages().next)
  return next === null ? null : <div aria-hidden className="page-progress" />
}
