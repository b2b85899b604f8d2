const LATIN = new Map(
  Object.entries({
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'h',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'sch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
  }),
)

const LATIN_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const CYRILLIC_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const OTHER_KEY = new Map(
  [...LATIN_KEYS].flatMap((latin, at) => {
    const cyrillic = CYRILLIC_KEYS.charAt(at)
    return [
      [latin, cyrillic],
      [cyrillic, latin],
    ] as const
  }),
)

/** A name of plain ASCII only needs lower-casing, so it skips the slow normalisation. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Returns the comparison form of a text: lower case, no accents, «ё» as «е», single spaces. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return (
    text
      .trim()
      .toLowerCase()
      .replace(/ё/g, 'е')
      .normalize('NFD')
      // «й» is a separate letter of the alphabet, so it keeps its diacritic.
      .replace(/и\u0306/g, 'й')
      .replace(/\p{M}+/gu, '')
      .replace(/\s+/g, ' ')
  )
}

/** Transliterates a folded (lower-case) text: «телеграм» becomes `telegram`. */
export function toLatin(folded: string): string {
  return folded.replace(/[а-я]/g, (letter) => LATIN.get(letter) ?? letter)
}

/** Converts a text typed in the wrong keyboard layout: `ntktuhfv` becomes «телеграм», «еудупкфь» becomes `telegram`. */
export function inOtherLayout(folded: string): string {
  return folded.replace(/./gu, (letter) => OTHER_KEY.get(letter) ?? letter).replace(/ё/g, 'е')
}
