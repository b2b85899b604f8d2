import type { ErrorsReply, ListedError } from '#contract/calls/reference-calls.ts'
import type { Locale } from '#contract/constants.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import remediesEn from '#contract/words/remedies-en.json' with { type: 'json' }
import remediesRu from '#contract/words/remedies-ru.json' with { type: 'json' }
import { listSentences } from '#server/house/errors/error-words.ts'
import type { Call } from '#server/house/http/call.ts'
import { describeReference } from './describe-reference.ts'
import { textsOf } from './protocols/describe-protocol.ts'
import { OF_EVERY_CALL } from './refusals.ts'

const REMEDIES: Record<Locale, Record<ErrorCode, string>> = { en: remediesEn, ru: remediesRu }

/** The word of each of our errors in a protocol of other services; null or missing if the protocol has no word. */
export type ProtocolWords = Readonly<Partial<Record<ErrorCode, string | null>>>
export type WordsByProtocol = Readonly<Record<'handler-api' | 'five-sim', ProtocolWords>>

/** Lists all errors: first those of every call, then those of single calls, last those of the site itself. */
export function listErrors(calls: readonly Call[], words: WordsByProtocol, locale: Locale): ErrorsReply {
  const callsOf = groupCalls(calls, locale)
  const sentencesOf = Map.groupBy(listSentences(locale), ({ code }) => code)
  // The cast is safe, because the keys of the table are the codes.
  const all = (Object.keys(ERRORS) as ErrorCode[]).map((code): ListedError => {
    const own = callsOf.get(code) ?? []
    const from = OF_EVERY_CALL.includes(code) ? 'every' : own.length > 0 ? 'some' : 'site'
    const sentences = (sentencesOf.get(code) ?? []).map((sentence) => sentence.words)
    return { code, status: ERRORS[code], sentences, remedy: REMEDIES[locale][code], from, calls: own }
  })
  const errors = (['every', 'some', 'site'] as const).flatMap((from) => all.filter((error) => error.from === from))
  const protocols = (['handler-api', 'five-sim'] as const).map((name) => ({
    name,
    words: listWords(words[name], textsOf(name, locale).words),
  }))
  return { status: true, data: { errors, protocols } }
}

function groupCalls(calls: readonly Call[], locale: Locale): Map<string, { id: string; name: string }[]> {
  const found = new Map<string, { id: string; name: string }[]>()
  for (const { id, method, path, errors } of describeReference(calls, locale).data.flatMap((group) => group.calls)) {
    for (const code of errors) found.set(code, [...(found.get(code) ?? []), { id, name: `${method} ${path}` }])
  }
  return found
}

function listWords(wordOf: ProtocolWords, remedies: Record<string, string>) {
  return Object.entries(remedies).map(([word, remedy]) => ({
    word,
    remedy,
    codes: Object.entries(wordOf).flatMap(([code, one]) => (one === word ? [code] : [])),
  }))
}
