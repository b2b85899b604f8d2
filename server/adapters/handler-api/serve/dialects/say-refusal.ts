import { SECOND } from '#contract/time.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import type { Refusal } from '../answer.ts'
import { BY_ERROR, ENVELOPES, type Envelope } from './envelopes.ts'
import { protocolTime } from './times.ts'

export type Said = { text: string; isJson: boolean; status: number }

type Rules = { earlyCancelSeconds: number }

export function sayRefusal(dialect: ServedDialect, refusal: Refusal, rules: Rules): Said {
  const envelope = dialect.refusals === 'envelopes' ? envelopeOf(refusal, rules) : null
  if (envelope !== null) return envelope
  const word = refusal.word === 'BAD_SERVICE' ? dialect.unknownService : refusal.word
  switch (refusal.as) {
    case 'filter':
      return asJson(filterRefusal(dialect, refusal))
    case 'rent': {
      const info = refusal.info ?? infoOf(refusal)
      return asJson({ status: 'error', message: word, ...(info && { info }) })
    }
    case 'word':
      return { text: withField(dialect, word, refusal), isJson: false, status: 200 }
    default:
      return refusal.as satisfies never
  }
}

function asJson(value: object, status = 200): Said {
  return { text: JSON.stringify(value), isJson: true, status }
}

function filterRefusal({ wrongFilter }: ServedDialect, { word }: Refusal): object {
  const isCountry = word === 'BAD_COUNTRY'
  if (wrongFilter === 'error') return { error: isCountry ? 'Bad country' : 'Bad service' }
  return { status: 'false', msg: isCountry ? 'country is incorrect' : 'service is incorrect' }
}

/** Clients split the reply at ":", so the time is written with dashes. */
function withField(dialect: ServedDialect, word: string, { lowest, until }: Refusal): string {
  if (lowest !== undefined) return `${word}:${lowest}`
  if (until === undefined) return word
  const times = dialect.times === 'offset' ? 'naive' : dialect.times
  return `${word}:${protocolTime({ times }, until).replaceAll(':', '-')}`
}

function infoOf({ lowest, until }: Refusal): Record<string, unknown> | undefined {
  if (lowest !== undefined) return { min: lowest }
  return until === undefined ? undefined : { banned_until: until.toISOString() }
}

function envelopeOf(refusal: Refusal, { earlyCancelSeconds }: Rules): Said | null {
  const { word, as, code, lowest, until } = refusal
  if (as === 'filter') return null
  if (word === 'NO_NUMBERS' && as === 'rent') return enveloped({ title: 'NO_NUMBERS', status: 404 })
  const special = word === 'BAD_STATUS' && code !== undefined ? BY_ERROR[code] : undefined
  const envelope = special ?? ENVELOPES[word]
  if (envelope === undefined) return null
  if (word === 'EARLY_CANCEL_DENIED') return enveloped({ ...envelope, info: { minActivationTime: earlyCancelSeconds } })
  if (lowest !== undefined) return enveloped({ ...envelope, info: { min: Number(lowest) } })
  if (until === undefined) return enveloped(envelope)
  const readable = protocolTime({ times: 'naive' }, until)
  return enveloped({
    ...envelope,
    info: { scope: 'specific', banned_until: Math.floor(until.getTime() / SECOND), readable_date: readable },
  })
}

function enveloped({ title, status, details = title, info }: Envelope): Said {
  return asJson({ title, details, ...(info && { info }) }, status)
}
