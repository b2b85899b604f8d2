import type { CallKey } from '#contract/calls/calls.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { User } from '#contract/user.ts'
import { type AppContext, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { refetch } from '#web/session/refetch.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import { playChime } from '#web/ui/chime.ts'

const CATALOG_CALLS = ['GET /api/price', 'GET /api/services', 'GET /api/countries'] satisfies CallKey[]

export function PreorderNews() {
  const app = useAppContext()
  useLiveEvent((event) => {
    if (event.name !== 'PreorderChanged') return
    const { record } = event.payload
    // A cancellation needs no announcement, because the user made it and the list shows it.
    if (!record.final || record.state === 'cancelled') return
    const settings = app.queryClient.getQueryData<User>(['user'])?.settings
    if (record.state === 'bought') {
      if (settings?.sound_new_sms) playChime(settings)
      // The pre-order found a number in stock, so lists and prices that show the choice as sold out are refetched.
      for (const key of CATALOG_CALLS) inBackground(refetch(app.queryClient, { queryKey: [key] }))
    }
    sayEnd(app, record).catch(reportError)
  })
  return null
}

async function sayEnd(app: AppContext, record: PreorderRecord): Promise<void> {
  const t = await laterTranslator(app, 'preorder')
  const names = { service: record.service.name, country: record.country.name }
  const id = `preorder-${record.id}`
  switch (record.state) {
    case 'bought':
      return app.alerts.add({ id, type: 'info', text: t('end.bought', names) })
    case 'expired':
      return app.alerts.add({ id, type: 'info', text: t('end.expired', names) })
    case 'failed':
      return app.alerts.add({ id, type: 'error', text: t('end.failed', names) })
    case 'cancelled':
    case 'waiting':
    case 'buying':
      return
    default:
      return record.state satisfies never
  }
}
