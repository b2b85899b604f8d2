import { useTranslations } from 'use-intl'
import { Dialog } from '../components/dialog.tsx'
import { ACTIVATIONS, RENTALS } from '../components/ticket/number-kind.ts'
import { NumberMessages } from '../components/ticket/number-messages.tsx'
import { useDialogs } from '../frame.ts'
import type { DialogProps } from './dialog-store.ts'

/** The messages of one number, bought or rented. */
export function ActivationDialog({ kind, id }: DialogProps['activation']) {
  const t = useTranslations('activationDialog')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('activation')}>
      {kind === 'rental' ? <NumberMessages kind={RENTALS} id={id} /> : <NumberMessages kind={ACTIVATIONS} id={id} />}
    </Dialog>
  )
}
