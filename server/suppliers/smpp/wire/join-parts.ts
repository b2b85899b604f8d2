import { type Alphabet, alphabetOf, type DefaultAlphabet, decodeText } from './alphabet.ts'

export type StoredPart = { sequence: number; dataCoding: number; body: Buffer }

/** Stands in the text where parts never came. */
export const GAP = '…'

/**
 * The text of a long message from its parts, in order of `sequence`. Neighbours of one alphabet are joined as octets
 * and decoded as one: the border of two parts may cut a surrogate pair, a GSM escape, even one UTF-16 unit (133 octets
 * fit beside a 16-bit reference).
 */
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
