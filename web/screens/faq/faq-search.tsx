import { Search } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../components/button.tsx'
import { normalizeText } from '../../forms/normalize-text.ts'

/** Works before any script is here: the form asks for the same address. */
export function FaqSearch({ search }: { search: string }) {
  const t = useTranslations('faq')
  const navigate = useNavigate()
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const words = normalizeText(String(new FormData(event.currentTarget).get('search') ?? '')).trim()
    void navigate(words === '' ? '/faq' : `/faq?${new URLSearchParams({ search: words })}`)
  }
  return (
    <search>
      <form action="/faq" onSubmit={submit} className="flex max-w-xl gap-2">
        <label htmlFor={id} className="sr-only">
          {t('search')}
        </label>
        <span className="flex min-w-0 grow items-center rounded border border-edge bg-surface pl-3">
          <Search size={16} aria-hidden className="shrink-0 text-muted" />
          <input
            id={id}
            type="search"
            name="search"
            defaultValue={search}
            maxLength={100}
            placeholder={t('search')}
            className="min-h-11 w-full bg-transparent px-2 outline-none"
          />
        </span>
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}
