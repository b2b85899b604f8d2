import { type Alphabet, alphabetOf, type DefaultAlphabet, decodeText } from './alphabet.ts'

export type StoredPart = { sequence: number; dataCoding: number; body: Buffer }

export const GAP = '…'

/** Neighbours of one alphabet are decoded as one: a border may cut a surrogate pair, GSM escape or UTF-16 unit. */
export function joinParts(
  parts: readonly StoredPart[],
  { total, defaultAlphabet }: { total: number; defaultAlphabet: DefaultAlphabet },
): string {
  let text = ''
  let run: Buffer[] = []
  let runAlphabet: Alphabet = defaultAlphabet
  let expected = 1
  const flush = () => {
    text += decodeText(Buffer.concat(run), runAlphabet)
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
  return expected <= total ? text + GAP : text
}
