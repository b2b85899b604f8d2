import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'

/** This account exists only on a server in demo mode. */
const DEMO_BUYER = { email: 'demo@ringpost.test', password: 'demo-password-1' }

export function DemoHint({ onFill }: { onFill: (values: typeof DEMO_BUYER) => void }) {
  const t = useTranslations('login')
  return (
    <div className="mb-5 rounded border border-dashed border-edge bg-sunken p-3 text-sm">
      <p className="mb-2">{t('demoHint')}</p>
      <Button className="w-full" onClick={() => onFill(DEMO_BUYER)}>
        {t('demoFill')}
      </Button>
    </div>
  )
}
