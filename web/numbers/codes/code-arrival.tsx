import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { formatPhone } from '#contract/formats/phone-format.ts'
import type { NewCode } from '#contract/live-events.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { type AppContext, useAppContext, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { useLocation } from '#web/navigation/use-page.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import { playChime } from '#web/ui/chime.ts'
import { copyText } from '#web/ui/initial/copy-text.ts'
import { saysName } from './named-text.ts'
import { isClosed } from './notices.ts'

const ICON = '/favicon.svg'
/** The icon with a green dot. */
const ICON_OF_CODE = '/favicon-code.svg'

/** Restores title and icon of the page; null unless they tell of a code. */
let restore: (() => void) | null = null

/** Screens with these paths show the ticket, so an arriving code needs no alert. */
const TICKET_PATHS = { activation: ['/', '/activations'], rental: ['/rent'] } as const

/**
 * Announces a code to screen readers, in title and icon, and by an alert unless the page shows the ticket. The settings
 * may add a sound and a copy of the code.
 */
export function CodeArrival() {
  const t = useTranslations('ticket')
  const app = useAppContext()
  const settings = useUser()?.settings
  const { pathname } = useLocation()
  const [spoken, setSpoken] = useState('')
  const told = useRef(new Set<number>())
  const noticed = useRef(new Set<string>())
  const warned = useRef(new Set<number>())

  useLiveEvent((event) => {
    if (event.name === 'RentalChanged') warnOfEnd(event.payload.record)
    if (event.name === 'NewCode') tellCode(event.payload)
    if (event.name === 'ActivationChanged') tellNotice(event.payload.record)
  })

  function tellCode(news: NewCode): void {
    const { kind, message, record } = news
    // Both the socket and the polling may deliver a message.
    if (told.current.has(message.id)) return
    told.current.add(message.id)
    const words = wordsOf(news)
    setSpoken(words)
    const isSeen = TICKET_PATHS[kind].some((path) => path === pathname)
    if (!isSeen) app.alerts.add({ type: 'info', text: words, id: `message-${kind}-${record.id}-${message.id}` })
    showInTitle(`${message.code ?? message.text.slice(0, 40)} — ${serviceOf(news)}`)
    if (settings?.sound_new_sms) playChime(settings)
    if (settings?.copying_code && message.code !== null) inBackground(copyText(message.code))
  }
  function wordsOf(news: NewCode): string {
    const { code, text } = news.message
    const service = serviceOf(news)
    return code === null ? announced(text, service) : t('announceCode', { service, code })
  }
  function announced(text: string, service: string): string {
    return saysName(text, service) ? text : t('announceText', { service, text })
  }
  /**
   * Announces a notice (a message without a code) to screen readers, and again after the buyer has paid to read it.
   * Sound, title and copies are for codes only.
   */
  function tellNotice({ state, service, messages }: ActivationRecord): void {
    const notice = messages.find((message) => message.notice === true)
    if (notice === undefined || (state !== 'waiting' && state !== 'received')) return
    const words = isClosed(notice)
      ? t('announceNotice', { service: service.name })
      : announced(notice.text, service.name)
    const key = `${notice.id} ${words}`
    if (noticed.current.has(key)) return
    noticed.current.add(key)
    setSpoken(words)
  }
  function warnOfEnd({ id, expiring, final, phone, country }: RentalRecord): void {
    if (!expiring || final) {
      // The buyer of an extended rental gets another warning before the new end.
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
  // A number that is rented whole has no service, so the sender is shown.
  return kind === 'rental' ? message.sender : record.service.name
}

async function sayEnding(app: AppContext, { id, phone }: { id: number; phone: string }): Promise<void> {
  const t = await laterTranslator(app, 'rent')
  app.alerts.add({ type: 'info', text: t('soon', { phone }), id: `rental-ends-${id}` })
}

function showInTitle(words: string): void {
  if (document.hasFocus()) return
  restore?.()
  const before = document.title
  document.title = words
  showIcon(ICON_OF_CODE)
  restore = () => {
    for (const name of ['focus', 'visibilitychange'] as const) removeEventListener(name, seen, true)
    restore = null
    showIcon(ICON)
    // Another page may have set its own title. Titles of staff pages begin with a count, so their end is compared.
    if (document.title.endsWith(words)) document.title = before
  }
  for (const name of ['focus', 'visibilitychange'] as const) addEventListener(name, seen, true)
}

function showIcon(path: string): void {
  document.querySelector('link[rel=icon]')?.setAttribute('href', path)
}

function seen(): void {
  if (!document.hidden) restore?.()
}
