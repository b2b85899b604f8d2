import type { Locale } from '#contract/constants.ts'
import type { LiveEventName, LiveNames, SentEvents } from '#contract/live-events.ts'
import type { LiveEvent } from './apply-event.ts'

/** A live event as it comes over the wire. */
export type SentEvent = { [Name in LiveEventName]: { name: Name; payload: SentEvents[Name] } }[LiveEventName]

/** The event with its record in the language of the page, as a call of the page would have given it. */
export function inLanguage(event: SentEvent, locale: Locale): LiveEvent {
  // Without a record it is sent as it is told, and with one only the names come on top: SentEvents says so, for each name.
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
