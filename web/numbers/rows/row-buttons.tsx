import { Ellipsis } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { NumberKindName } from '#web/live/numbers-cache.ts'
import { ProblemLink } from '#web/numbers/ticket/problem-link.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'

export type RowAction = {
  verb: string
  label: string
  Icon: ComponentType<{ size: number; 'aria-hidden': true }>
  /** The time until which the action is not possible, or no longer free. */
  time?: string | undefined
  tip?: string | undefined
  closed: boolean
  onPress: () => void
}

type RowButtonsProps = { kind: NumberKindName; id: number; name: string; actions: readonly RowAction[] }

/** The first action has a button of its own. The others are in a menu with the link to support. */
export function RowButtons({ kind, id, name, actions }: RowButtonsProps) {
  const t = useTranslations('rows')
  const [first, ...others] = actions
  return (
    <>
      <div className="row-action">
        {first === undefined ? null : (
          <RowButton action={first} tip={first.tip ?? first.label} onPress={first.onPress}>
            <span className="row-action-icon">
              <first.Icon size={18} aria-hidden />
            </span>
            <span className="row-action-words">{first.label}</span>
            {first.time === undefined ? null : <span className="tabular">{first.time}</span>}
          </RowButton>
        )}
      </div>
      <Disclosure
        className="row-menu"
        label={t('menu', { name })}
        button={<Ellipsis size={18} aria-hidden />}
        buttonLook="inline-flex h-10 w-7 items-center justify-center rounded-sm text-muted hover:bg-ink/8 hover:text-ink"
        panelLook="right-0 top-full flex w-max flex-col"
      >
        {(close) => (
          <>
            {others.map((action) => (
              <RowButton
                key={action.verb}
                action={action}
                tip={action.tip}
                onPress={() => {
                  close()
                  action.onPress()
                }}
              >
                {action.label}
                {action.time === undefined ? null : <span className="tabular text-muted">{action.time}</span>}
              </RowButton>
            ))}
            <ProblemLink kind={kind} id={id} className="px-2" />
          </>
        )}
      </Disclosure>
    </>
  )
}

type RowButtonProps = { action: RowAction; tip: string | undefined; onPress: () => void; children: ReactNode }

/** A button that is not possible yet keeps the focus, so that its tip can be read. */
function RowButton({ action: { closed }, tip, onPress, children }: RowButtonProps) {
  return (
    <button
      type="button"
      data-stub-button
      className="row-button"
      aria-disabled={closed}
      title={tip}
      onClick={() => (closed ? undefined : onPress())}
    >
      {children}
    </button>
  )
}
