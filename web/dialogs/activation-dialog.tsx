import { useTranslations } from 'use-intl'
import { Dialog } from '../components/dialog.tsx'
import { ActivationMessages } from '../components/ticket/activation-messages.tsx'
import { useDialogs } from '../frame.ts'

/** The messages of one number. */
export function ActivationDialog({ id }: { id: number }) {
  const t = useTranslations('activationDialog')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('activation')}>
      <ActivationMessages id={id} />
    </Dialog>
  )
}
