import { useCallback } from 'react'
import { type Choice, readChoice, writeChoice } from '#web/buying/initial/choice.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'

/**
 * A choice replaces the history entry, so Back leaves the panel. flushSync keeps a select from flashing its old value.
 */
export function useChoice(): [Choice, (choice: Choice) => void] {
  const [params, setParams] = useSearchParams()
  const setChoice = useCallback(
    (choice: Choice) =>
      setParams((before) => writeChoice(before, choice), { replace: true, preventScrollReset: true, flushSync: true }),
    [setParams],
  )
  return [readChoice(params), setChoice]
}
