import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useApi } from '#web/app-context.ts'
import { SwitchRow } from '#web/screens/settings/other/switch-row.tsx'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { useTelegram } from './use-telegram.ts'

/** A browser would block a window that opens after the call, so the link is shown to be pressed. */
export function ConnectTelegram() {
  const t = useTranslations('telegram')
  const api = useApi()
  const { pending, once } = useSingleFlight()
  const [codes, setCodes] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  useTelegram({ looking: url !== null })
  async function begin(): Promise<void> {
    setUrl((await api('POST /api/v1/telegram/link', { codes })).url)
  }
  function choose(wanted: boolean): void {
    setCodes(wanted)
    // The link has the earlier choice in it.
    setUrl(null)
  }
  return (
    <div className="grid gap-3">
      <SwitchRow label={t('codes')} text={t('codesText')} checked={codes} onChange={choose} />
      {url === null ? (
        <Button className="justify-self-start" aria-disabled={pending} onClick={() => once(begin)}>
          {t('connect')}
        </Button>
      ) : (
        <div className="grid gap-2" role="status">
          <a href={url} target="_blank" rel="noreferrer" className={`${buttonLook('primary')} justify-self-start`}>
            {t('open')}
          </a>
          <p className="text-sm text-muted">{t('openText')}</p>
        </div>
      )}
    </div>
  )
}
