import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Security } from '#contract/account.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorOff } from './two-factor-off.tsx'
import { TwoFactorOn } from './two-factor-on.tsx'

export function TwoFactorSettings({ security }: { security: Security }) {
  const t = useTranslations('settings.twoFactor')
  const on = security.two_factor
  // New recovery codes cannot be fetched again, so they stay until the user dismisses them.
  const [fresh, setFresh] = useState<readonly string[]>()
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <p className="mb-4 flex items-center gap-2.5">
        <span aria-hidden className={`size-2.5 rounded-full ${on ? 'bg-ink' : 'border border-edge'}`} />
        <span className="font-semibold">{t(on ? 'on' : 'off')}</span>
        {on ? <span className="text-muted">{t('codesLeft', { count: security.recovery_codes_left })}</span> : null}
      </p>
      {fresh !== undefined ? (
        <RecoveryCodes codes={fresh} onSaved={() => setFresh(undefined)} />
      ) : on ? (
        <TwoFactorOn onCodes={setFresh} />
      ) : (
        <TwoFactorOff onCodes={setFresh} />
      )}
    </SettingsGroup>
  )
}
