import { useNavigation } from 'react-router'

/** A line at the top while the next page is being fetched. It only shows when that takes a moment (styles.css). */
export function PageProgress() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <div aria-hidden className="page-progress" />
}
