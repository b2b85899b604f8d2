import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

/** An e-mail field. Browsers fill it with the sign-in name unless `autoComplete` differs. */
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
