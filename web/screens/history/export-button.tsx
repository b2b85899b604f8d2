import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { EntriesFilter } from '#contract/past/entries.ts'
import type { HistoryFilter, StatementFilter } from '#contract/past/history.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { todayIn } from '#web/past/past-days.ts'
import { useTimeZone } from '#web/past/time-zone.ts'
import { downloadFile } from '#web/session/download.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import type { View } from './history-filter.ts'

type FileView = Exclude<View, 'payments'>

const PATHS: Record<FileView, string> = {
  numbers: '/api/v1/history.csv',
  money: '/api/v1/movements.csv',
  statement: '/api/v1/statement.csv',
}
const FILE_NAMES: Record<FileView, string> = {
  numbers: 'ringpost-history',
  money: 'ringpost-money',
  statement: 'ringpost-statement',
}

type ExportButtonProps = {
  view: FileView
  /** The filter of the list; null until the dates of the chosen period are known. */
  input: HistoryFilter | EntriesFilter | StatementFilter | null
}

export function ExportButton({ view, input }: ExportButtonProps) {
  const t = useTranslations('history')
  const app = useAppContext()
  const timeZone = useTimeZone()
  const fail = useFailure()
  const [pending, setPending] = useState(false)

  async function save(): Promise<void> {
    setPending(true)
    try {
      // The file contains all rows, so the page size is removed.
      const { per_page: _perPage, ...filter }: HistoryFilter & EntriesFilter = input ?? {}
      const zone = timeZone === null ? {} : { time_zone: timeZone }
      const content = await downloadFile(app, PATHS[view], { ...zone, ...filter, for: 'people' })
      saveFile(`${FILE_NAMES[view]}-${todayIn(timeZone ?? 'UTC', Date.now())}.csv`, content)
      app.alerts.add({ type: 'info', text: t('exported') })
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
    }
  }
  const waits = pending || input === null
  return (
    <Button
      className="max-sm:min-h-11"
      aria-disabled={waits}
      aria-busy={pending}
      onClick={() => (waits ? undefined : inBackground(save()))}
    >
      <Download size={16} aria-hidden className="text-muted" />
      {pending ? t('exporting') : t('export')}
    </Button>
  )
}
