import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

/** Renders an e-mail field. Browsers fill in the sign-in name unless `autoComplete` differs. */
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
