import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import type { DataExport, Privacy } from '#contract/privacy.ts'
import { MEBIBYTE } from '#contract/time.ts'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { askAgain } from '#web/session/ask-again.ts'
import { confirmed } from '#web/session/confirmed-api.ts'
import { downloadFile } from '#web/session/download.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function DataFile({ privacy }: { privacy: Privacy }) {
  const t = useTranslations('privacy.file')
  const { export: made, next_export_at: nextAt } = privacy
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="grid gap-4" aria-live="polite">
        {made === null ? null : <State made={made} />}
        {nextAt === null ? (
          <MakeFile />
        ) : (
          <p className="text-muted">
            {t('next')} <LocalMoment at={nextAt} />
          </p>
        )}
      </div>
    </SettingsGroup>
  )
}

function State({ made }: { made: DataExport }) {
  const t = useTranslations('privacy.file')
  switch (made.state) {
    case 'waiting':
      return <p>{t('waiting')}</p>
    case 'too_large':
      return <p>{t('tooLarge')}</p>
    case 'failed':
      return <p>{t('failed')}</p>
    case 'ready':
      return <Ready made={made} />
    default:
      return made.state satisfies never
  }
}

function Ready({ made }: { made: DataExport }) {
  const t = useTranslations('privacy.file')
  const locale = useLocale()
  const app = useAppContext()
  const { pending, once } = useSingleFlight()
  async function fetchFile(): Promise<void> {
    const content = await confirmed(
      'GET /api/v1/privacy/exports/{id}/file',
      () => downloadFile(app, `/api/v1/privacy/exports/${made.id}/file`, {}),
      () => app.dialogs,
    )
    saveFile(`ringpost-data-${made.asked_at.slice(0, 10)}.zip`, content)
    app.alerts.add({ type: 'info', text: t('fetched') })
  }
  return (
    <div>
      <p className="font-semibold">{t('ready')}</p>
      <p className="mt-1 mb-3 text-muted">
        {made.bytes === null ? null : <>{t('size', { megabytes: inMegabytes(made.bytes, locale) })} · </>}
        {made.expires_at === null ? null : (
          <>
            {t('until')} <LocalMoment at={made.expires_at} />
          </>
        )}
      </p>
      <Button kind="primary" aria-disabled={pending} aria-busy={pending} onClick={() => once(fetchFile)}>
        <Download size={16} aria-hidden />
        {t('fetch')}
      </Button>
    </div>
  )
}

function inMegabytes(bytes: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.max(0.1, bytes / MEBIBYTE))
}

function MakeFile() {
  const t = useTranslations('privacy.file')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function make(): Promise<void> {
    try {
      await api('POST /api/v1/privacy/export', {})
    } finally {
      // The list of exports is refetched, because another tab may have requested the file earlier.
      await askAgain(queryClient, { queryKey: ['privacy'] })
    }
  }
  return (
    <Button className="justify-self-start" aria-disabled={pending} onClick={() => once(make)}>
      {t('make')}
    </Button>
  )
}
