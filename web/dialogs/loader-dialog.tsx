import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { LoaderCircle } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'

/** Shows a sign-in in progress, which cannot be cancelled, so the dialog cannot be closed. */
export function LoaderDialog({ purpose }: DialogProps['loader']) {
  const t = useTranslations('loader')
  return (
    <BaseDialog.Root open disablePointerDismissal onOpenChange={(_open, details) => details.cancel()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="veil fixed inset-0 z-50" />
        <div className="fixed inset-0 z-50 grid place-items-center p-6">
          <BaseDialog.Popup
            aria-busy
            className="flex items-center gap-4 rounded border border-hairline bg-surface p-6 shadow-raised outline-none"
          >
            <LoaderCircle size={28} aria-hidden className="shrink-0 animate-spin text-signal" />
            <div>
              <BaseDialog.Title className="font-semibold">{t(purpose)}</BaseDialog.Title>
              <BaseDialog.Description className="text-sm text-muted">{t('text')}</BaseDialog.Description>
            </div>
          </BaseDialog.Popup>
        </div>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
