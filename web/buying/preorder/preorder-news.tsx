import type { CallKey } from '#contract/calls/calls.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { User } from '#contract/user.ts'
import { type Frame, useFrame } from '#web/frame.ts'
import { inBackground } from '#web/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { playChime } from '#web/numbers/codes/chime.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { laterTranslator } from '#web/text/later-translator.ts'

const CATALOG_CALLS = ['GET /api/price', 'GET /api/services', 'GET /api/countries'] satisfies CallKey[]

/** Says how a pre-order ended, wherever the person is on the site; a number that was bought also with the sound of a code. */
export function PreorderNews() {
  const frame = useFrame()
  useLiveEvent((event) => {
    if (event.name !== 'PreorderChanged') return
    const { record } = event.payload
    // Cancelled is what the person did: the list shows it.
    if (!record.final || record.state === 'cancelled') return
    const settings = frame.queryClient.getQueryData<User>(['user'])?.settings
    if (record.state === 'bought') {
      if (settings?.sound_new_sms) playChime()
      // It was in stock: a panel that says there is none looks again.
      for (const key of CATALOG_CALLS) inBackground(askAgain(frame.queryClient, { queryKey: [key] }))
    }
    sayEnd(frame, record).catch(reportError)
  })
  return null
}

async function sayEnd(frame: Frame, record: PreorderRecord): Promise<void> {
  const t = await laterTranslator(frame, 'preorder')
  const names = { service: record.service.name, country: record.country.name }
  const id = `preorder-${record.id}`
  switch (record.state) {
    case 'bought':
      return frame.alerts.add({ id, type: 'info', text: t('end.bought', names) })
    case 'expired':
      return frame.alerts.add({ id, type: 'info', text: t('end.expired', names) })
    case 'failed':
      return frame.alerts.add({ id, type: 'error', text: t('end.failed', names) })
    case 'cancelled':
    case 'waiting':
    case 'buying':
      return
    default:
      return record.state satisfies never
  }
}
