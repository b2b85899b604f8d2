import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'

export type FormWords = { title: string; submit: string; submitting: string; cancel: string }

type SecretFormProps = {
  words: FormWords
  form: { sending: boolean; submit: (event: FormEvent<HTMLFormElement>) => Promise<void> }
  onCancel: () => void
  children: ReactNode
}

export function SecretForm({ words, form, onCancel, children }: SecretFormProps) {
  const root = useRef<HTMLFormElement>(null)
  useEffect(() => root.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={root}
      noValidate
      method="post"
      aria-label={words.title}
      className="grid gap-5 not-first:mt-4 rounded border border-hairline bg-surface p-4 sm:p-5"
      onSubmit={(event) => inBackground(form.submit(event))}
    >
      <h3 className="text-lg font-semibold">{words.title}</h3>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" aria-disabled={form.sending}>
          {form.sending ? words.submitting : words.submit}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </form>
  )
}
