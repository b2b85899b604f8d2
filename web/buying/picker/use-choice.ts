import { useCallback } from 'react'
import { type Choice, readChoice, writeChoice } from '#web/buying/initial/choice.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'

/**
 * Returns the choice (service, country, operator, period) in the URL, and a setter that adds no history entry.
 * flushSync stops selects from flashing.
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
