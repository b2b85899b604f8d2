import { type ReactNode, type RefObject, useId } from 'react'
import { useTranslations } from 'use-intl'
import { routeNamed } from '#web/navigation/routes.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

type ConsentProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  missing: boolean
  ref: RefObject<HTMLInputElement | null>
}

/** Renders the consent box. The documents open in another tab, so that the form keeps its input. */
export function Consent({ checked, onChange, missing, ref }: ConsentProps) {
  const t = useTranslations('register')
  const hintId = useId()
  return (
    <div>
      <label className="flex min-h-10 items-start gap-3 py-2 text-sm">
        <input
          ref={ref}
          type="checkbox"
          name="agree"
          checked={checked}
          aria-invalid={missing}
          aria-describedby={missing ? hintId : undefined}
          className="mt-px size-5 shrink-0 accent-(--signal-fill)"
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          {t.rich('consent', {
            terms: (words) => <DocumentLink route="terms-of-use">{words}</DocumentLink>,
            privacy: (words) => <DocumentLink route="privacy-policy">{words}</DocumentLink>,
          })}
        </span>
      </label>
      <div role="alert">
        {missing ? (
          <p id={hintId} className="text-sm text-error">
            {t('consentHint')}
          </p>
        ) : null}
      </div>
    </div>
  )
}

function DocumentLink({ route, children }: { route: string; children: ReactNode }) {
  const path = routeNamed(route)?.path
  if (path === undefined) return children
  return (
    <a href={path} target="_blank" rel="noopener" className={TEXT_BUTTON_LOOK}>
      {children}
    </a>
  )
}
