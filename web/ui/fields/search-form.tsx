import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useId } from 'react'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { normalizeText } from './initial/normalize-text.ts'

type SearchFormProps = {
  /** The path that handles the query parameter `search` if scripts do not run. */
  action: string
  label: string
  search: string
  onSearch: (words: string) => void
  className?: string
  children?: ReactNode
}

export function SearchForm({ action, label, search, onSearch, className = '', children }: SearchFormProps) {
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    onSearch(normalizeText(String(new FormData(event.currentTarget).get('search') ?? '')).trim())
  }
  return (
    <search>
      <form action={action} onSubmit={submit} className={`flex gap-2 ${className}`}>
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <span className="flex min-w-0 grow items-center rounded border border-edge bg-surface pl-3">
          <Search size={16} aria-hidden className="shrink-0 text-muted" />
          <input
            id={id}
            key={search}
            type="search"
            name="search"
            defaultValue={search}
            maxLength={SEARCH_MAX_LENGTH}
            placeholder={label}
            className="min-h-11 w-full bg-transparent px-2 outline-none"
          />
        </span>
        {children}
      </form>
    </search>
  )
}
