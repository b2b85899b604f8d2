import { useTranslations } from 'use-intl'
import { FastList } from '#web/buying/fast-number/fast-list.tsx'
import { useDialogs } from '#web/house/app-context.ts'
import { Dialog } from '#web/ui/dialog.tsx'

export function FastNumberDialog() {
  const t = useTranslations('fastNumber')
  const { close } = useDialogs()
  return (
    <Dialog title={t('title')} onClose={() => close('fastNumber')}>
      <p className="-mt-2 mb-3 text-[14px] text-muted">{t('text')}</p>
      <FastList onDone={() => close('fastNumber')} />
    </Dialog>
  )
}
