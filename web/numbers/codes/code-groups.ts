/** The sizes of the groups by the number of digits. */
const SIZES: Record<number, readonly number[]> = {
  5: [2, 3],
  6: [3, 3],
  7: [3, 4],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
}

/**
 * Divides a code of digits into groups that people read aloud: 813953 is 813 953. A code with other signs, or of four
 * digits and fewer, stays whole. `start` is the place of the group in the code.
 */
export function codeGroups(code: string): { start: number; digits: string }[] {
  const sizes = (/^\d+$/.test(code) ? SIZES[code.length] : undefined) ?? [code.length]
  let end = 0
  return sizes.map((size) => {
    const start = end
    end += size
    return { start, digits: code.slice(start, end) }
  })
}
