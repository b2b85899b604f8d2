import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { MINUTE } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { useTelegram } from '#web/notifications/use-telegram.ts'
import { SwitchRow } from '#web/screens/settings/other/switch-row.tsx'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'

const LINK_MS = 10 * MINUTE
/** Focuses the link, because it replaces the pressed button. */
const focus = (link: HTMLElement | null) => link?.focus()

/** Renders a link to Telegram for the user to press, because browsers block a window opened after a call. */
export function ConnectTelegram() {
  const t = useTranslations('telegram')
  const api = useApi()
  const { pending, once } = useSingleFlight()
  const [codes, setCodes] = useState(false)
  const [link, setLink] = useState<{ url: string; until: number } | null>(null)
  useTelegram({ lookUntil: link?.until ?? 0 })
  async function begin(): Promise<void> {
    const { url } = await api('POST /api/v1/telegram/link', { codes })
    setLink({ url, until: Date.now() + LINK_MS })
  }
  function choose(wanted: boolean): void {
    setCodes(wanted)
    // The link contains the earlier choice about codes, so a new link is needed.
    setLink(null)
  }
  return (
    <div className="grid gap-3">
      <SwitchRow label={t('codes')} text={t('codesText')} checked={codes} onChange={choose} />
      {link === null ? (
        <Button className="justify-self-start" aria-disabled={pending} onClick={() => once(begin)}>
          {t('connect')}
        </Button>
      ) : (
        <div className="grid gap-2" role="status">
          <a
            ref={focus}
            href={link.url}
            target="_blank"
            rel="noreferrer"
            className={`${buttonLook('primary')} justify-self-start`}
          >
            {t('open')}
          </a>
          <p className="text-sm text-muted">{t('openText')}</p>
        </div>
      )}
    </div>
  )
}
