import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

/** By default the name one signs in with, unless `autoComplete` differs. */
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
