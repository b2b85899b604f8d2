import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Confirmation } from '#web/house/stores/dialog-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Renders a question. The confirming button has the focus, so Enter confirms. */
export function ConfirmDialog({ confirmation }: { confirmation: Confirmation }) {
  const t = useTranslations('confirm')
  const confirmButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog title={t('title')} onClose={() => confirmation.answer(false)} initialFocus={confirmButton}>
      <p className="mb-6">{confirmation.text}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => confirmation.answer(false)}>{t('cancel')}</Button>
        <Button ref={confirmButton} kind="primary" onClick={() => confirmation.answer(true)}>
          {confirmation.action}
        </Button>
      </div>
    </Dialog>
  )
}
