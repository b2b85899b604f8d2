import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../components/button.tsx'
import { normalizeText } from '../../forms/normalize-text.ts'

/** Typing searches once the person pauses; without scripts the form does. */
const PAUSE_MS = 250

/** The search over a table of codes; what is searched for stands in the address. */
export function TableSearch({ search }: { search: string }) {
  const t = useTranslations('doc')
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const id = useId()
  const [text, setText] = useState(search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function searchFor(words: string): void {
    clearTimeout(timer.current)
    const wanted = words.trim()
    if (wanted === search) return
    const query = wanted === '' ? '' : `?${new URLSearchParams({ search: wanted })}`
    void navigate(pathname + query, { replace: true, preventScrollReset: true })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    searchFor(text)
  }
  return (
    <search>
      <form action={pathname} onSubmit={submit} className="flex max-w-md gap-2">
        <label htmlFor={id} className="sr-only">
          {t('search')}
        </label>
        <input
          id={id}
          type="search"
          name="search"
          value={text}
          maxLength={100}
          placeholder={t('search')}
          autoComplete="off"
          spellCheck={false}
          className="min-h-11 w-full rounded border border-edge bg-surface px-3"
          onChange={({ target }) => {
            const words = normalizeText(target.value)
            setText(words)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => searchFor(words), PAUSE_MS)
          }}
        />
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}
