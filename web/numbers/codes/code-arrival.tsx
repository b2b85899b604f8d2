import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import type { NewCode } from '#contract/live-events.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { type AppContext, useAppContext, useUser } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { playChime } from './chime.ts'
import { showInTitle } from './code-title.ts'

/** Screens that show tickets of a kind: there the code itself is the news. */
const TICKET_PATHS = { activation: ['/', '/activations'], rental: ['/rent'] } as const

/**
 * What happens when a code arrives, wherever the person is on the site: it is read aloud, a sound is played and the code
 * copied if the person set it so, and on screens without its ticket an alert shows it. An alert also says that a rental is
 * about to end. Mounted once, in the layout.
 */
export function CodeArrival() {
  const t = useTranslations('ticket')
  const app = useAppContext()
  const settings = useUser()?.settings
  const { pathname } = useLocation()
  const [spoken, setSpoken] = useState('')
  const lastMessageId = useRef(0)
  const warned = useRef(new Set<number>())

  useLiveEvent((event) => {
    if (event.name === 'RentalChanged') warnOfEnd(event.payload.record)
    if (event.name === 'NewCode') tellCode(event.payload)
  })

  function tellCode(news: NewCode): void {
    const { kind, message, record } = news
    // The socket and the asking may both bring the same message.
    if (message.id <= lastMessageId.current) return
    lastMessageId.current = message.id
    const words = wordsOf(news, t)
    setSpoken(words)
    const isSeen = TICKET_PATHS[kind].some((path) => path === pathname)
    if (!isSeen) app.alerts.add({ type: 'info', text: words, id: `message-${kind}-${record.id}-${message.id}` })
    showInTitle(`${message.code ?? message.text.slice(0, 40)} — ${serviceOf(news)}`)
    if (settings?.sound_new_sms) playChime()
    if (settings?.copying_code && message.code !== null) inBackground(copyText(message.code))
  }
  function warnOfEnd({ id, expiring, final, phone, country }: RentalRecord): void {
    if (!expiring || final) {
      // Extended, it may come near its end again.
      warned.current.delete(id)
    } else if (phone !== null && !warned.current.has(id)) {
      warned.current.add(id)
      sayEnding(app, { id, phone: formatPhone(phone, country.dial) }).catch(reportError)
    }
  }

  return (
    <p className="sr-only" aria-live="assertive">
      {spoken}
    </p>
  )
}

function serviceOf({ kind, record, message }: NewCode): string {
  // A whole number is rented for no service: who wrote tells more.
  return kind === 'rental' ? message.sender : record.service.name
}

function wordsOf(news: NewCode, t: ReturnType<typeof useTranslations<'ticket'>>): string {
  const { message } = news
  const service = serviceOf(news)
  return message.code === null
    ? t('announceText', { service, text: message.text })
    : t('announceCode', { service, code: message.code })
}

async function sayEnding(app: AppContext, { id, phone }: { id: number; phone: string }): Promise<void> {
  const t = await laterTranslator(app, 'rent')
  app.alerts.add({ type: 'info', text: t('soon', { phone }), id: `rental-ends-${id}` })
}
