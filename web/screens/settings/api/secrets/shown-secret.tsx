import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'

type ShownSecretProps = {
  secret: string
  words: { title: string; text: string; copy: string; copied: string; saved: string }
  className?: string
  onSaved: () => void
  children?: ReactNode
}

export function ShownSecret({ secret, words, className = '', onSaved, children }: ShownSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { copied, copy } = useCopy(secret)
  // The pressed button has disappeared, so the heading takes the focus.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="mb-5 rounded border border-dashed border-edge bg-surface p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold wrap-break-word outline-none">
        {words.title}
      </h3>
      <p className="mt-1 text-muted">{words.text}</p>
      <p className={`my-4 font-mono leading-snug font-semibold break-all ${className}`}>
        <code>{secret}</code>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={copy}>
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {copied ? words.copied : words.copy}
        </Button>
        <Button onClick={onSaved}>{words.saved}</Button>
      </div>
      {children}
    </div>
  )
}
