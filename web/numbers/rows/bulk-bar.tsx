import { Check, Copy, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'

type BulkBarProps<Item extends NumberRecord> = {
  chosen: readonly Item[]
  /** The open numbers that wait for a code. */
  waiting: readonly Item[]
  all: readonly Item[]
  isBusy: boolean
  onCancel: (records: readonly Item[]) => void
  onClear: () => void
}

/** Acts on the selected rows, or on all rows if none is selected. It has the same height in both cases. */
export function BulkBar<Item extends NumberRecord>(props: BulkBarProps<Item>) {
  const { chosen, waiting, all, isBusy, onCancel, onClear } = props
  const t = useTranslations('rows')
  const some = chosen.length > 0
  const about = some ? chosen : all
  const cancelled = some ? chosen.filter(({ final }) => !final) : waiting
  const codes = about.filter(({ code, phone }) => code !== null && phone !== null)
  const phones = about.flatMap(({ phone }) => (phone === null ? [] : [phone]))
  return (
    <section aria-label={t('tools')} className="rows-bar">
      {some ? (
        <>
          <IconButton label={t('clear')} onClick={onClear}>
            <X size={18} aria-hidden />
          </IconButton>
          <span className="tabular mr-1 font-semibold" role="status">
            {t('chosen', { count: chosen.length })}
          </span>
        </>
      ) : null}
      {cancelled.length === 0 ? null : (
        <Button className="px-3" aria-disabled={isBusy} onClick={() => (isBusy ? undefined : onCancel(cancelled))}>
          {some ? t('cancelChosen', { count: cancelled.length }) : t('cancelWaiting', { count: cancelled.length })}
        </Button>
      )}
      {some && phones.length > 0 ? (
        <CopyMany text={phones.join('\n')} label={t('copyNumbers', { count: phones.length })} short={t('numbers')} />
      ) : null}
      {codes.length === 0 ? null : (
        <CopyMany
          text={codes.map(({ phone, code }) => `${phone}\t${code}`).join('\n')}
          label={t('copyCodes', { count: codes.length })}
          short={t('codes')}
        />
      )}
    </section>
  )
}

/** Replaces the label by a tick after a copy, so that the bar keeps its width. */
function CopyMany({ text, label, short }: { text: string; label: string; short: string }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(text)
  return (
    <Button className="px-3" aria-label={copied ? t('copied') : label} onClick={copy}>
      {copied ? <Check size={16} aria-hidden className="text-received" /> : <Copy size={16} aria-hidden />}
      <span className="hidden sm:inline">{label}</span>
      <span className="sm:hidden">{short}</span>
    </Button>
  )
}
