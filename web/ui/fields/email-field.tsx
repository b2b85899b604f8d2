import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

/** A field for an e-mail address: the name one signs in by, unless `autoComplete` says otherwise. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}
