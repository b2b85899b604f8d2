import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

type SearchBoxProps = Omit<ComponentProps<'input'>, 'type' | 'placeholder' | 'autoComplete' | 'spellCheck'> & {
  label: string
}

export function SearchBox({ label, className = '', ...input }: SearchBoxProps) {
  return (
    <label
      className={`search-box relative flex min-h-10 min-w-0 grow items-center rounded border border-edge bg-paper px-3 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-signal ${className}`}
    >
      <Search size={16} aria-hidden className="shrink-0 text-muted" />
      {/* The input is out of the flow, so that a typed letter changes the layout of the field alone. */}
      <span className="absolute inset-y-0 right-3 left-9 contain-strict">
        <input
          type="search"
          className="size-full outline-none placeholder:text-muted"
          placeholder={label}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          {...input}
        />
      </span>
    </label>
  )
}
