import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import type { NewCode } from '#contract/live-events.ts'
import { useAlerts, useUser } from '../../frame.ts'
import { useLiveEvent } from '../../live/use-live-event.ts'
import { logFailure } from '../../log-failure.ts'
import { copyText } from '../copy-text.ts'

const CHIME_URL = '/sounds/new-code.wav'
/** Screens that show tickets: there the code itself is the news. */
const TICKET_PATHS = ['/', '/activations']

/**
 * What happens when a code arrives, wherever the person is on the site: it is read aloud, a sound is played and the code
 * copied if the person set it so, and on screens without tickets an alert shows it. Mounted once, in the layout.
 */
export function CodeArrival() {
  const t = useTranslations('ticket')
  const alerts = useAlerts()
  const settings = useUser()?.settings
  const { pathname } = useLocation()
  const [spoken, setSpoken] = useState('')
  const lastMessageId = useRef(0)

  useLiveEvent((event) => {
    if (event.name !== 'NewCode') return
    const { message, record } = event.payload
    // The socket and the asking may both bring the same message.
    if (message.id <= lastMessageId.current) return
    lastMessageId.current = message.id
    const words = wordsOf(event.payload, t)
    setSpoken(words)
    if (!TICKET_PATHS.includes(pathname))
      alerts.add({ type: 'info', text: words, id: `message-${record.id}-${message.id}` })
    if (settings?.sound_new_sms) playChime()
    if (settings?.copying_code && message.code !== null) void copyText(message.code)
  })

  return (
    <p className="sr-only" aria-live="assertive">
      {spoken}
    </p>
  )
}

function wordsOf({ record, message }: NewCode, t: ReturnType<typeof useTranslations<'ticket'>>): string {
  const service = record.service.name
  return message.code === null
    ? t('announceText', { service, text: message.text })
    : t('announceCode', { service, code: message.code })
}

/** Browsers block sound until the page was pressed once; that is only logged (product.md section 8). */
function playChime(): void {
  new Audio(CHIME_URL).play().catch((error: unknown) => logFailure('the sound of a new code was blocked', error))
}
