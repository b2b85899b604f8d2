import { useEffect, useState } from 'react'
import { useLocation } from '#web/navigation/use-page.ts'

/** Below the header, where a heading stands after a press on its link, and the first line that is read. */
const READ_FROM_PX = 120

type Place = { id: string; top: number }

/**
 * Returns the last section that begins above the line where one reads; null before the first. The end of the page
 * brings no last sections to that line, so there the chosen one counts, and otherwise the last.
 */
export function sectionInView(places: readonly Place[], page: { isAtEnd: boolean; chosen: string }): string | null {
  if (page.isAtEnd) {
    const chosen = places.find(({ id }) => id === page.chosen)
    return (chosen ?? places.at(-1))?.id ?? null
  }
  return places.findLast(({ top }) => top <= READ_FROM_PX)?.id ?? null
}

/** Returns the id of the section that is being read, of those named; null on the server and before the first. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [shown, setShown] = useState<string | null>(null)
  const location = useLocation()
  const named = ids.join()
  useEffect(() => {
    const read = () => {
      const places = named.split(',').flatMap((id): Place[] => {
        const top = document.getElementById(id)?.getBoundingClientRect().top
        return top === undefined ? [] : [{ id, top }]
      })
      const { scrollHeight } = document.documentElement
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2
      setShown(sectionInView(places, { isAtEnd, chosen: location.hash.slice(1) }))
    }
    read()
    addEventListener('scroll', read, { passive: true })
    addEventListener('resize', read)
    return () => {
      removeEventListener('scroll', read)
      removeEventListener('resize', read)
    }
  }, [named, location])
  return shown
}
