import { useEffect, useEffectEvent, useState } from 'react'
import { normalizeText } from './normalize-text.ts'
import { SearchBox } from './search-box.tsx'

/** The address follows the typing after this pause. */
const SEARCH_PAUSE_MS = 250

type SearchFieldProps = {
  label: string
  search: string
  onSearch: (search: string) => void
  className?: string
  /** Of the parameter, where the field stands in a form that works before any script is here. */
  name?: string
}

/** A search whose words stand in the address: what is changed there (a cleared filter, Back) changes the field. */
export function SearchField({ label, search, onSearch, className = '', name }: SearchFieldProps) {
  const [field, setField] = useState({ text: search, of: search })
  if (field.of !== search) {
    // What was typed comes back by the address without the space at its end: that is no change from elsewhere.
    const isEcho = field.text.trim() === search
    setField({ text: isEcho ? field.text : search, of: search })
  }
  const send = useEffectEvent((text: string) => {
    if (text.trim() !== search) onSearch(text.trim())
  })
  useEffect(() => {
    const timer = setTimeout(() => send(field.text), SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [field.text])
  return (
    <SearchBox
      label={label}
      className={className}
      name={name}
      value={field.text}
      onChange={(event) => setField({ text: normalizeText(event.target.value), of: field.of })}
    />
  )
}
