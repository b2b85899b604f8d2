import { Ellipsis, type LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'

type SecretRowProps = {
  icon: LucideIcon
  name: string
  facts: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** Closes the menu of a row's actions; null for actions that are buttons of their own. */
const CloseMenu = createContext<(() => void) | null>(null)

/** Renders a row. On a phone its actions are in a menu, because they would take two lines of each row. */
export function SecretRow({ icon: Icon, name, facts, actions, children }: SecretRowProps) {
  const t = useTranslations('settings')
  return (
    <li className="py-4 first:pt-0">
      <div className="flex gap-3.5">
        <Icon size={22} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium wrap-break-word">{name}</h3>
          {facts}
          <div className="mt-2.5 flex flex-wrap gap-2 max-sm:hidden">{actions}</div>
        </div>
        <Disclosure
          className="-mt-2.5 -mr-2.5 -ml-2 self-start sm:hidden"
          label={t('rowActions', { name })}
          button={<Ellipsis size={20} aria-hidden />}
          buttonLook="inline-flex size-11 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink"
          panelLook="top-full right-0 grid w-max max-w-[calc(100vw-2rem)]"
        >
          {(close) => <CloseMenu value={close}>{actions}</CloseMenu>}
        </Disclosure>
      </div>
      {children}
    </li>
  )
}

/** `of` is the accessible label, which is the action with the name of its record. */
export type ActionWords = { text: string; of: string }

type ActionProps = { words: ActionWords; open?: boolean; pending?: boolean; onPress: () => void }

export function RowAction({ words, open, pending, onPress }: ActionProps) {
  const closeMenu = useContext(CloseMenu)
  const press = () => {
    closeMenu?.()
    onPress()
  }
  return (
    <Button
      kind={closeMenu === null ? 'plain' : 'quiet'}
      className={closeMenu === null ? '' : 'min-h-11 justify-start'}
      aria-expanded={open}
      aria-label={words.of}
      aria-disabled={pending}
      onClick={press}
    >
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
