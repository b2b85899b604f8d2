import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

type SearchBoxProps = Omit<ComponentProps<'input'>, 'type' | 'placeholder' | 'autoComplete' | 'spellCheck'> & {
  /** Placeholder and accessible name. */
  label: string
}

/** `className` applies to the box. */
export function SearchBox({ label, className = '', ...input }: SearchBoxProps) {
  return (
    <label className={`search-box ${className}`}>
      <Search size={16} aria-hidden className="shrink-0 text-muted" />
      <span>
        <input type="search" placeholder={label} aria-label={label} autoComplete="off" spellCheck={false} {...input} />
      </span>
    </label>
  )
}
