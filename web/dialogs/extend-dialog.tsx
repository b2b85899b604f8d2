import { useTranslations } from 'use-intl'
import { Dialog } from '../components/dialog.tsx'
import { ExtendRental } from '../components/rent-ticket/extend-rental.tsx'
import { useDialogs } from '../frame.ts'
import type { DialogProps } from './dialog-store.ts'

/** Lets a rental go on. */
export function ExtendDialog({ id }: DialogProps['extend']) {
  const t = useTranslations('rent.extend')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('extend')}>
      <ExtendRental id={id} onDone={() => close('extend')} />
    </Dialog>
  )
}
