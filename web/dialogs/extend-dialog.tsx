import { useTranslations } from 'use-intl'
import { useDialogs } from '#web/house/app-context.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { ExtendRental } from '#web/numbers/rent-ticket/extend-rental.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

export function ExtendDialog({ id }: DialogProps['extend']) {
  const t = useTranslations('rent.extend')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('extend')}>
      <ExtendRental id={id} onDone={() => close('extend')} />
    </Dialog>
  )
}
