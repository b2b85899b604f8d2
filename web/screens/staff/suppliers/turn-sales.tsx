import { useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ShownSupplier } from '#contract/staff/supply.ts'
import { SUPPLY_REASON_MAX_LENGTH } from '#contract/staff/supply-constants.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useSupplierChange } from './use-supplier-change.ts'

export function TurnSales({ supplier: { code, paused_since: pausedSince } }: { supplier: ShownSupplier }) {
  const t = useTranslations('supply.turn')
  const [isOpen, setOpen] = useState(false)
  const titleId = useId()
  const isPaused = pausedSince !== null
  return (
    <section aria-labelledby={titleId} className="rounded border border-hairline bg-surface p-4">
      <h2 id={titleId} className="font-semibold">
        {t('title')}
      </h2>
      <p className="mt-1 mb-3 text-sm text-muted">{t(isPaused ? 'resumeText' : 'pauseText')}</p>
      {isOpen ? (
        <TurnForm key={String(isPaused)} code={code} isPaused={isPaused} onDone={() => setOpen(false)} />
      ) : (
        <Button kind={isPaused ? 'primary' : 'plain'} onClick={() => setOpen(true)}>
          {t(isPaused ? 'resume' : 'pause')}
        </Button>
      )}
    </section>
  )
}

function TurnForm({ code, isPaused, onDone }: { code: string; isPaused: boolean; onDone: () => void }) {
  const t = useTranslations('supply.turn')
  const api = useApi()
  const alerts = useAlerts()
  const { pending, change } = useSupplierChange()
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  async function turn(): Promise<void> {
    const input = { code, reason: reason.trim() }
    if (isPaused) await api('POST /api/v1/staff/suppliers/{code}/resume', input)
    else await api('POST /api/v1/staff/suppliers/{code}/pause', input)
    alerts.add({ id: `supplier-${code}`, type: 'info', text: t(isPaused ? 'resumed' : 'paused', { code }) })
    onDone()
  }
  const { errors, submit } = useSubmit({
    names: ['reason'],
    check: () => ({ ...(reason.trim() === '' && { reason: t('needed') }) }),
    send: async () => change(turn),
  })
  return (
    <form onSubmit={(event) => inBackground(submit(event))} noValidate className="grid gap-3">
      <TextField
        ref={field}
        name="reason"
        label={t('reason')}
        maxLength={SUPPLY_REASON_MAX_LENGTH}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={errors.reason}
      />
      <p className="text-sm text-muted">{t('reasonHint')}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" aria-disabled={pending} aria-busy={pending}>
          {t(isPaused ? 'resume' : 'pause')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
