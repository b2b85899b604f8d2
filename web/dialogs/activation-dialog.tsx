import { useTranslations } from 'use-intl'
import { useDialogs } from '#web/house/app-context.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { NumberMessages } from '#web/numbers/codes/number-messages.tsx'
import { ACTIVATIONS, RENTALS } from '#web/numbers/list/number-kind.ts'
import { Dialog } from '#web/ui/dialog.tsx'

export function ActivationDialog({ kind, id }: DialogProps['activation']) {
  const t = useTranslations('activationDialog')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('activation')}>
      {kind === 'rental' ? <NumberMessages kind={RENTALS} id={id} /> : <NumberMessages kind={ACTIVATIONS} id={id} />}
    </Dialog>
  )
}
