/** How Cyrillic letters are written in Latin ones. */
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

/** The same keys of a keyboard in its two layouts. */
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

/** Latin letters, digits and signs without accents, one space between words: most names are folded by small letters alone. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Small letters without accents, «ё» as «е», one space between words: as texts are compared. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return (
    text
      .trim()
      .toLowerCase()
      .replace(/ё/g, 'е')
      .normalize('NFD')
      // «й» must not lose its mark with the accents: it is a letter of its own.
      .replace(/и\u0306/g, 'й')
      .replace(/\p{M}+/gu, '')
      .replace(/\s+/g, ' ')
  )
}

/** A folded text in Latin letters: «телеграм» is `telegram`. */
export function toLatin(folded: string): string {
  return folded.replace(/[а-я]/g, (letter) => LATIN.get(letter) ?? letter)
}

/** What the same keys write in the other layout: `ntktuhfv` is «телеграм», «еудупкфь» is `telegram`. */
export function inOtherLayout(folded: string): string {
  return folded.replace(/./gu, (letter) => OTHER_KEY.get(letter) ?? letter).replace(/ё/g, 'е')
}
