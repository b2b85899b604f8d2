/** A group of digits in a text. `length` includes the separators. */
export type DigitGroup = { digits: string; at: number; length: number }

type Piece = { digits: string; at: number; separator: string }

/** Splits a run of digits and separators into possible codes. Returns an empty list for a telephone number. */
export function digitGroups(run: string): DigitGroup[] {
  const pieces = piecesOf(run)
  if (isPhoneLike(pieces)) return []
  return joinSpaced(chainsOf(pieces)).map((group) => {
    const [first, last] = [group[0], group.at(-1)]
    const at = first?.at ?? 0
    const digits = group.map((piece) => piece.digits).join('')
    return { digits, at, length: last === undefined ? 0 : last.at + last.digits.length - at }
  })
}

function piecesOf(run: string): Piece[] {
  const pieces: Piece[] = []
  for (const { 0: digits, index } of run.matchAll(/\d+/g)) {
    const previous = pieces.at(-1)
    const separator = previous === undefined ? '' : run.slice(previous.at + previous.digits.length, index)
    pieces.push({ digits, at: index, separator })
  }
  return pieces
}

const MAX_DIGITS = 8
const MIN_DIGITS = 4

/** Returns true if the pieces look like a telephone number, but not for a code and its validity in minutes. */
function isPhoneLike(pieces: readonly Piece[]): boolean {
  const [first, ...others] = pieces
  const count = pieces.reduce((sum, piece) => sum + piece.digits.length, 0)
  if (first === undefined || count <= MAX_DIGITS) return false
  // A dash between spaces separates two numbers: `login 774120 - 482913`.
  if (others.length === 1 && others[0]?.separator === ' - ') return false
  return (
    first.digits.length < MIN_DIGITS || others.some(({ digits, separator }) => digits.length > 2 || separator === '-')
  )
}

/**
 * Groups pieces of digits that are joined by dashes. Pieces of the same length are one code; pieces of different
 * lengths are a date or a telephone number.
 */
function chainsOf(pieces: readonly Piece[]): Piece[][] {
  const chains: Piece[][] = []
  for (const piece of pieces) {
    if (piece.separator === '-') chains.at(-1)?.push(piece)
    else chains.push([piece])
  }
  return chains.filter((chain) => chain.every(({ digits }) => digits.length === chain[0]?.digits.length))
}

/** The maximum length of a piece of a code that is written with spaces. Longer pieces are separate numbers. */
const MAX_SPACED = 3

function joinSpaced(chains: readonly Piece[][]): Piece[][] {
  const groups: Piece[][] = []
  for (const chain of chains) {
    const [piece] = chain
    const previous = groups.at(-1)
    const like = previous?.[0]
    const joins =
      chain.length === 1 &&
      piece?.separator === ' ' &&
      like !== undefined &&
      previous?.[1]?.separator !== '-' &&
      like.digits.length === piece.digits.length &&
      piece.digits.length <= MAX_SPACED
    if (joins) previous?.push(piece)
    else groups.push([...chain])
  }
  return groups
}
