import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { ICON_BUTTON_LOOK } from './icon-button.tsx'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  initialFocus?: RefObject<HTMLElement | null>
}

/** Renders a dialog that traps the focus and returns it. Esc, the cross and a press outside close the dialog. */
export function Dialog({ title, onClose, children, initialFocus }: DialogProps) {
  const t = useTranslations('login')
  return (
    <BaseDialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="veil fixed inset-0 z-50" />
        <div className="fixed inset-0 z-50 grid items-end overflow-y-auto sm:items-center sm:p-6">
          <BaseDialog.Popup
            initialFocus={initialFocus ?? true}
            className="relative mx-auto w-full max-w-md rounded-t border border-hairline bg-surface p-5 shadow-raised outline-none sm:rounded sm:p-6"
          >
            <div className="mb-4 flex items-start justify-between gap-4">
              <BaseDialog.Title className="pt-1.5 text-xl leading-tight font-semibold tracking-tight">
                {title}
              </BaseDialog.Title>
              <BaseDialog.Close
                aria-label={t('close')}
                title={t('close')}
                className={`${ICON_BUTTON_LOOK} -mt-1 -mr-2`}
              >
                <X size={18} aria-hidden />
              </BaseDialog.Close>
            </div>
            {children}
          </BaseDialog.Popup>
        </div>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
