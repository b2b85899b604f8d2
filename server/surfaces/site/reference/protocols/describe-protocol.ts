import type { ProtocolName, ProtocolReply } from '#contract/calls/reference-calls.ts'
import type { Locale } from '#contract/constants.ts'
import en from '#contract/words/protocols-en.json' with { type: 'json' }
import ru from '#contract/words/protocols-ru.json' with { type: 'json' }
import { FIVE_SIM } from './five-sim.ts'
import { HANDLER_API } from './handler-api.ts'
import { LIVE } from './live.ts'
import type { Part, Protocol } from './protocol.ts'
import answers from './replies.json' with { type: 'json' }
import { WEBHOOKS } from './webhooks.ts'

export type ProtocolTexts = {
  title: string
  description: string
  text: string[]
  parts: Record<string, { title: string; text: string }>
  fields: Record<string, string>
  words: Record<string, string>
}

const TEXTS: Record<Locale, Record<ProtocolName, ProtocolTexts>> = { en, ru }
const ANSWERS: Record<ProtocolName, Record<string, string>> = answers
const DECLARED: Record<ProtocolName, Protocol> = {
  'handler-api': HANDLER_API,
  'five-sim': FIVE_SIM,
  webhooks: WEBHOOKS,
  live: LIVE,
}

export function textsOf(name: ProtocolName, locale: Locale): ProtocolTexts {
  return TEXTS[locale][name]
}

export function describeProtocol(name: ProtocolName, locale: Locale): ProtocolReply {
  const texts = textsOf(name, locale)
  const { title, description, text } = texts
  const parts = DECLARED[name].parts.map((part) => describePart(part, texts, ANSWERS[name][part.id] ?? null))
  const words = name === 'handler-api' || name === 'five-sim' ? name : null
  return { status: true, data: { title, description, text, words, parts } }
}

function describePart({ fields, ...part }: Part, texts: ProtocolTexts, answer: string | null) {
  const told = texts.parts[part.id]
  if (told === undefined) throw new Error(`${part.id} has no text`)
  const described = fields.map((field) => {
    const name = field.replace(/\*$/, '')
    return { name, required: field !== name, about: texts.fields[name] ?? '' }
  })
  return { ...part, ...told, words: [...part.words], fields: described, answer }
}
