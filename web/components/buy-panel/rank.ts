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
  const spellings = [...new Set([wanted, toLatin(wanted)])]
  const found: { item: Item; rank: number }[] = []
  for (const item of items) {
    const rank = Math.min(...spellings.map((spelling) => rankOf(item, spelling)))
    if (rank < Infinity) found.push({ item, rank })
  }
  return found.sort((left, right) => left.rank - right.rank).map(({ item }) => item)
}

function rankOf(item: Searchable, wanted: string): number {
  if (String(item.id).toLowerCase() === wanted) return 0
  const name = fold(item.name)
  const at = name.indexOf(wanted)
  if (at === 0) return 1
  if (at < 0) return Infinity
  return new RegExp(`[^\\p{L}\\p{N}]${escapePattern(wanted)}`, 'u').test(name) ? 2 : 3
}

function fold(text: string): string {
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
