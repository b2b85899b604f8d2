const ROWS = [
  '01234567890-=',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'azertyuiop',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю.',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  'йфяцычувскамепинртгоьшлбщдюзжэх',
  '1q2w3e4r5t6y7u8i9o0p',
  '1й2ц3у4к5е6н7г8ш9щ0з',
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'абвгдежзиклмнопрст',
  '147258369',
]
const WALKS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]

const SHORTEST_WALK = 3
/** The maximum length of a unit whose repetition makes a password weak; a longer unit may be an original phrase. */
const LONGEST_UNIT = 6
const MAX_BESIDE = 2

/** Detects a lower-case password that repeats a short unit (`abc1abc1`) or walks along a keyboard (`qwerty123`). */
export function isPredictable(text: string): boolean {
  return isRepeat(text) || besideWalks(text) <= MAX_BESIDE
}

function isRepeat(text: string): boolean {
  for (let length = 1; length <= Math.min(LONGEST_UNIT, text.length / 2); length += 1) {
    if (
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .startsWith(text)
    )
      return true
  }
  return false
}

function besideWalks(text: string): number {
  let beside = 0
  let at = 0
  while (at < text.length) {
    const length = walkFrom(text, at)
    if (length === 0) beside += 1
    at += Math.max(length, 1)
  }
  return beside
}

function walkFrom(text: string, start: number): number {
  const same = /^(.)\1*/u.exec(text.slice(start))?.[0].length ?? 0
  let longest = same >= SHORTEST_WALK ? same : 0
  for (const walk of WALKS) {
    let length = Math.max(SHORTEST_WALK, longest + 1)
    while (start + length <= text.length && walk.includes(text.slice(start, start + length))) {
      longest = length
      length += 1
    }
  }
  return longest
}
