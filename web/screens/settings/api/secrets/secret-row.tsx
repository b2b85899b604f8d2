import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

type SecretRowProps = {
  icon: LucideIcon
  name: string
  facts: ReactNode
  actions: ReactNode
  children: ReactNode
}

export function SecretRow({ icon: Icon, name, facts, actions, children }: SecretRowProps) {
  return (
    <li className="py-4 first:pt-0">
      <div className="flex gap-3.5">
        <Icon size={22} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium wrap-break-word">{name}</h3>
          {facts}
          <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>
        </div>
      </div>
      {children}
    </li>
  )
}

/** `of` is the accessible label, which is the action with the name of its record. */
export type ActionWords = { text: string; of: string }

type ActionProps = { words: ActionWords; open?: boolean; pending?: boolean; onPress: () => void }

export function RowAction({ words, open, pending, onPress }: ActionProps) {
  return (
    <Button aria-expanded={open} aria-label={words.of} aria-disabled={pending} onClick={onPress}>
      {words.text}
    </Button>
  )
}

export function usePart<Part extends string>() {
  const [part, setPart] = useState<Part | null>(null)
  return {
    part,
    show: (wanted: Part) => setPart(wanted),
    toggle: (wanted: Part) => setPart(part === wanted ? null : wanted),
    closeAnd:
      <Given extends readonly unknown[]>(done?: (...given: Given) => void) =>
      (...given: Given) => {
        setPart(null)
        done?.(...given)
      },
  }
}
