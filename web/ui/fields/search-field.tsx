import { useEffect, useEffectEvent, useState } from 'react'
import { usePages } from '#web/navigation/use-page.ts'
import { normalizeText } from './initial/normalize-text.ts'
import { SearchBox } from './initial/search-box.tsx'

const SEARCH_PAUSE_MS = 250

type SearchFieldProps = {
  label: string
  search: string
  onSearch: (search: string) => void
  className?: string
  /** The name of the query parameter, for a form that works without scripts. */
  name?: string
}

/** Renders a search field whose text is in the URL, so that a change of the URL (by Back) changes the field. */
export function SearchField({ label, search, onSearch, className = '', name }: SearchFieldProps) {
  const pages = usePages()
  const [field, setField] = useState({ text: search, of: search })
  if (field.of !== search) {
    // The URL has the typed text without its trailing space, so this difference does not change the field.
    const isEcho = field.text.trim() === search
    setField({ text: isEcho ? field.text : search, of: search })
  }
  const setText = (typed: string) => setField((before) => ({ ...before, text: normalizeText(typed) }))
  const send = useEffectEvent((text: string) => {
    if (text.trim() !== search) onSearch(text.trim())
  })
  useEffect(() => {
    const nextAtLastKey = pages.next.get()
    const timer = setTimeout(() => {
      // A link that was pressed after the last key has a page on its way, and the search would take its place.
      const isLeaving = pages.next.get() !== null && pages.next.get() !== nextAtLastKey
      if (!isLeaving) send(field.text)
    }, SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [field.text, pages])
  return (
    <SearchBox
      label={label}
      className={className}
      name={name}
      value={field.text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
