const groupsByDial: Record<string, readonly number[]> = {
  1: [3, 3, 4],
  7: [3, 3, 2, 2],
  20: [3, 3, 4],
  27: [2, 3, 4],
  30: [3, 3, 4],
  31: [1, 2, 2, 2, 2],
  32: [3, 2, 2, 2],
  33: [1, 2, 2, 2, 2],
  36: [2, 3, 4],
  39: [3, 3, 4],
  40: [3, 3, 3],
  41: [2, 3, 2, 2],
  43: [3, 3, 4],
  44: [4, 3, 3],
  45: [2, 2, 2, 2],
  46: [2, 3, 2, 2],
  47: [3, 2, 3],
  48: [3, 3, 3],
  49: [4, 3, 4],
  52: [3, 3, 4],
  54: [1, 2, 4, 4],
  55: [2, 5, 4],
  56: [1, 4, 4],
  60: [2, 3, 4],
  62: [3, 4, 4],
  64: [2, 3, 4],
  66: [2, 3, 4],
  81: [2, 4, 4],
  82: [2, 4, 4],
  84: [2, 3, 2, 2],
  86: [3, 4, 4],
  90: [3, 3, 2, 2],
  91: [5, 5],
  92: [3, 3, 4],
  94: [2, 3, 4],
  95: [1, 3, 3, 3],
  98: [3, 3, 4],
  212: [3, 2, 2, 2],
  213: [3, 2, 2, 2],
  221: [2, 3, 2, 2],
  225: [2, 2, 2, 2, 2],
  229: [2, 2, 2, 2, 2],
  249: [2, 3, 4],
  255: [3, 3, 3],
  262: [3, 2, 2, 2],
  353: [2, 3, 4],
  358: [2, 3, 4],
  370: [3, 2, 3],
  372: [4, 4],
  374: [2, 2, 2, 2],
  375: [2, 3, 2, 2],
  380: [2, 3, 2, 2],
  381: [2, 3, 4],
  385: [2, 3, 4],
  590: [3, 2, 2, 2],
  594: [3, 2, 2, 2],
  856: [2, 4, 4],
  880: [4, 3, 3],
  965: [4, 4],
  966: [2, 3, 4],
  971: [2, 3, 4],
  972: [2, 3, 4],
  992: [2, 3, 2, 2],
  993: [2, 2, 2, 2],
  994: [2, 3, 2, 2],
  998: [2, 3, 2, 2],
}

const groupsByLength: Record<number, readonly number[]> = {
  5: [2, 3],
  6: [3, 3],
  7: [3, 2, 2],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
  11: [3, 4, 4],
  12: [3, 3, 3, 3],
}

/** Formats a phone number: '77051234567' becomes `+7 705 123 45 67`. Unexpected lengths are grouped in threes. */
export function formatPhone(digits: string, dial: string): string {
  const code = dial.replace('+', '')
  if (!digits.startsWith(code)) return `+${split(digits, groupsByLength[digits.length])}`
  const national = digits.slice(code.length)
  const habit = groupsByDial[code]
  const groups = habit && sum(habit) === national.length ? habit : groupsByLength[national.length]
  return national === '' ? `+${code}` : `+${code} ${split(national, groups)}`
}

/** Returns the usual number of digits after a country's dialling code. */
export function usualLength(dial: string): number {
  const habit = groupsByDial[dial.replace('+', '')]
  return habit === undefined ? UNKNOWN_LENGTH : sum(habit)
}

const UNKNOWN_LENGTH = 9

function split(digits: string, groups: readonly number[] | undefined): string {
  const parts: string[] = []
  let rest = digits
  for (const size of groups ?? []) {
    parts.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  for (; rest !== ''; rest = rest.slice(3)) parts.push(rest.slice(0, 3))
  return parts.join(' ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
