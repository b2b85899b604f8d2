import { readOctets } from '#server/adapters/shared/incoming/readable.ts'
import { type Alphabet, alphabetOf, type DefaultAlphabet, decodeText } from './alphabet.ts'

export type StoredPart = { sequence: number; dataCoding: number; body: Buffer }

/** `isData` means that the text contains binary octets in hexadecimal. */
export type JoinedText = { text: string; isData: boolean }

export const GAP = '…'

/**
 * Joins the parts of a message. Adjacent parts of one alphabet are decoded together. A border between them may cut a
 * surrogate pair, a GSM escape or a UTF-16 unit.
 */
export function joinParts(
  parts: readonly StoredPart[],
  { total, defaultAlphabet }: { total: number; defaultAlphabet: DefaultAlphabet },
): JoinedText {
  let text = ''
  let isData = false
  let run: Buffer[] = []
  let runAlphabet: Alphabet = defaultAlphabet
  let expected = 1
  const flush = () => {
    const octets = Buffer.concat(run)
    isData ||= runAlphabet === 'binary' && octets.length > 0 && readOctets(octets) === null
    text += decodeText(octets, runAlphabet)
    run = []
  }
  for (const part of parts) {
    const alphabet = alphabetOf(part.dataCoding, defaultAlphabet)
    const gap = part.sequence > expected
    if (gap || alphabet !== runAlphabet) flush()
    if (gap) text += GAP
    runAlphabet = alphabet
    run.push(part.body)
    expected = part.sequence + 1
  }
  flush()
  return { text: expected <= total ? text + GAP : text, isData }
}
