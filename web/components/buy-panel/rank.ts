/** Something that can be searched by its name and its exact id. */
export type Searchable = { id: string | number; name: string }

/**
 * The items a search finds, best first: the exact id, then names that begin with it, then a word of the name that does,
 * then names that hold it. Within one rank the order stays. «ё» equals «е», accents do not count, and a name in Latin
 * letters is also found by its Cyrillic spelling («телеграм» finds Telegram). An empty search finds all.
 */
export function rankByName<Item extends Searchable>(items: readonly Item[], search: string): readonly Item[] {
  const wanted = fold(search)
  if (wanted === '') return items
  const spellings = [...new Set([wanted, toLatin(wanted)])].map(toSpelling)
  const found: { item: Item; rank: number }[] = []
  for (const item of items) {
    const rank = Math.min(...spellings.map((spelling) => rankOf(item, spelling)))
    if (rank < Infinity) found.push({ item, rank })
  }
  return found.sort((left, right) => left.rank - right.rank).map(({ item }) => item)
}

/** A way to write what is searched; `inWord` finds it at the beginning of a word that is not the first. */
type Spelling = { text: string; inWord: RegExp }

function toSpelling(text: string): Spelling {
  return { text, inWord: new RegExp(`[^\\p{L}\\p{N}]${escapePattern(text)}`, 'u') }
}

function rankOf(item: Searchable, wanted: Spelling): number {
  if (String(item.id).toLowerCase() === wanted.text) return 0
  const name = foldedName(item)
  const at = name.indexOf(wanted.text)
  if (at === 0) return 1
  if (at < 0) return Infinity
  return wanted.inWord.test(name) ? 2 : 3
}

/** Every key that is typed looks at every name again: folding them anew would take longer than a frame. */
const foldedNames = new WeakMap<Searchable, string>()

function foldedName(item: Searchable): string {
  const known = foldedNames.get(item)
  if (known !== undefined) return known
  const folded = fold(item.name)
  foldedNames.set(item, folded)
  return folded
}

/** Latin letters, digits and signs without accents, one space between words: most names are folded by small letters alone. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

function fold(text: string): string {
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

const LATIN: Record<string, string> = {
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
}

function toLatin(text: string): string {
  return text.replace(/[а-я]/g, (letter) => LATIN[letter] ?? letter)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
