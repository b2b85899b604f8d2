import type { Locale } from '#contract/constants.ts'
import type { LiveEvent, LiveEventName, LiveNames, SentEvents } from '#contract/live-events.ts'

export type SentEvent = { [Name in LiveEventName]: { name: Name; payload: SentEvents[Name] } }[LiveEventName]

export function inLanguage(event: SentEvent, locale: Locale): LiveEvent {
  if (event.name === 'NewUserNotification') {
    const { words, ...notification } = event.payload
    return { name: event.name, payload: { ...notification, ...words[locale] } }
  }
  // A payload without a record needs no translation. In others `names` has service and country in all languages.
  if (!('record' in event.payload)) return event as LiveEvent
  const { names, ...payload } = event.payload
  return { name: event.name, payload: { ...payload, record: withNames(payload.record, names[locale]) } } as LiveEvent
}

type Named = { service: { name: string }; country: { name: string } }

function withNames<Item extends Named>(record: Item, { service, country }: LiveNames[Locale]): Item {
  return {
    ...record,
    service: { ...record.service, name: service },
    country: { ...record.country, name: country },
  }
}
