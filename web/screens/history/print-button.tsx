import { Printer } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'

type PrintButtonProps = {
  pending?: boolean
  onPress?: () => void
}

export function PrintButton({ pending = false, onPress = () => window.print() }: PrintButtonProps) {
  const t = useTranslations('history')
  return (
    <Button aria-disabled={pending} aria-busy={pending} onClick={() => (pending ? undefined : onPress())}>
      <Printer size={16} aria-hidden className="text-muted" />
      {pending ? t('printing') : t('print')}
    </Button>
  )
}
