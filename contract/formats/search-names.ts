import { type Letters, lacksMore, lettersOf } from './letter-sets.ts'
import { fold, inOtherLayout, toLatin } from './letters.ts'
import { mistakesIn } from './typing-mistakes.ts'

export type Searchable = { id: string | number; name: string; also?: readonly string[] | undefined }

export const RANK = { exact: 0, begins: 1, alsoBegins: 2, word: 3, alsoWord: 4, inside: 5, mistyped: 6 } as const

export type Found<Item> = { item: Item; rank: number }

/** Ranks items by how well their names match a search. Without a match, tries keyboard layouts and typing mistakes. */
export function rankByName<Item extends Searchable>(items: readonly Item[], search: string): readonly Item[] {
  return rankBy(items, search, (item) => item)
}

/**
 * Ranks items by the names from `searchedOf`, which must always return the same object for an item, because the object
 * is a cache key.
 */
export function rankBy<Item>(
  items: readonly Item[],
  search: string,
  searchedOf: (item: Item) => Searchable,
): readonly Item[] {
  if (fold(search) === '') return items
  return findBy(items, search, searchedOf).map(({ item }) => item)
}

export function findBy<Item>(
  items: readonly Item[],
  search: string,
  searchedOf: (item: Item) => Searchable,
): Found<Item>[] {
  const typed = fold(search)
  if (typed === '') return []
  const meant = fold(inOtherLayout(typed))
  const named = items.map((item) => ({ item, names: foldedNames(searchedOf(item)) }))
  const spelled = findSpelled(named, typed)
  if (spelled.length > 0) return spelled
  const otherLayout = findSpelled(named, meant)
  if (otherLayout.length > 0) return otherLayout
  return findMistyped(named, [typed, toLatin(typed), meant, toLatin(meant)])
}

/** So short a search stands inside many names, as `tg` in `ChatGPT`, so the beginnings of words count alone. */
const SHORT_SEARCH_LENGTH = 2

type Named<Item> = { item: Item; names: FoldedNames }

type Spelling = { text: string; letters: Letters; inWord: RegExp }

function findSpelled<Item>(named: readonly Named<Item>[], wanted: string): Found<Item>[] {
  const spellings = [...new Set([wanted, toLatin(wanted)])].map(toSpelling)
  const found: Found<Item>[] = []
  for (const { item, names } of named) {
    if (!spellings.some(({ text, letters }) => !lacksMore(names.letters, letters, 0) && names.all.includes(text)))
      continue
    const rank = names.codes.includes(wanted) ? RANK.exact : rankOf(names, spellings)
    if (rank !== null) found.push({ item, rank })
  }
  const begun = wanted.length <= SHORT_SEARCH_LENGTH ? found.filter(({ rank }) => rank < RANK.inside) : []
  return (begun.length > 0 ? begun : found).sort((left, right) => left.rank - right.rank)
}

function toSpelling(text: string): Spelling {
  return { text, letters: lettersOf(text), inWord: new RegExp(`[^\\p{L}\\p{N}]${escapePattern(text)}`, 'u') }
}

function rankOf({ own, also }: FoldedNames, spellings: readonly Spelling[]): number | null {
  let best: number | null = null
  for (const { text, inWord } of spellings) {
    for (const name of own) {
      const at = name.indexOf(text)
      if (at < 0) continue
      best = least(best, at === 0 ? RANK.begins : inWord.test(name) ? RANK.word : RANK.inside)
    }
    for (const name of also) {
      const at = name.indexOf(text)
      if (at < 0) continue
      best = least(best, at === 0 ? RANK.alsoBegins : inWord.test(name) ? RANK.alsoWord : RANK.inside)
    }
  }
  return best
}

function least(known: number | null, rank: number): number {
  return known === null || rank < known ? rank : known
}

function mistakesForgiven(text: string): number {
  return text.length < 4 ? 0 : text.length < 8 ? 1 : 2
}

/** The first letter must be right, because words that begin with another letter are not compared. */
function findMistyped<Item>(named: readonly Named<Item>[], spellings: readonly string[]): Found<Item>[] {
  const forgiving = [...new Set(spellings)]
    .map((text) => ({ text, letters: lettersOf(text), first: text.charCodeAt(0), limit: mistakesForgiven(text) }))
    .filter(({ limit }) => limit > 0)
  const found: Found<Item>[] = []
  for (const { item, names } of named) {
    let fewest = Infinity
    for (const { text, letters, first, limit } of forgiving) {
      if (lacksMore(names.letters, letters, limit)) continue
      for (const rest of names.fromEachWord) {
        if (rest.charCodeAt(0) === first) fewest = Math.min(fewest, mistakesIn(text, rest, limit) ?? Infinity)
      }
    }
    if (fewest < Infinity) found.push({ item, rank: RANK.mistyped + fewest })
  }
  return found.sort((left, right) => left.rank - right.rank)
}

function fromEachWord(name: string): string[] {
  return [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => name.slice(index))
}

/**
 * `codes` match only as a whole. `own` (the name) and `also` (further names) include transliterations. `all` joins
 * the three by line breaks.
 */
type FoldedNames = {
  codes: readonly string[]
  own: readonly string[]
  also: readonly string[]
  all: string
  /** For each word of each name, the text from this word to the name's end. */
  fromEachWord: readonly string[]
  letters: Letters
}

/** Folded names are cached, because each key press searches all names and folding takes longer than a frame. */
const remembered = new WeakMap<Searchable, FoldedNames>()

function foldedNames(searched: Searchable): FoldedNames {
  const known = remembered.get(searched)
  if (known !== undefined) return known
  const also = (searched.also ?? []).map(fold)
  const names = {
    codes: [String(searched.id).toLowerCase(), ...also],
    own: inBothAlphabets([fold(searched.name)]),
    also: inBothAlphabets(also),
  }
  const all = [...names.codes, ...names.own, ...names.also].join('\n')
  const folded = {
    ...names,
    all,
    letters: lettersOf(all),
    fromEachWord: [...new Set([...names.own, ...names.also].flatMap(fromEachWord))],
  }
  remembered.set(searched, folded)
  return folded
}

function inBothAlphabets(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [name, toLatin(name)]))]
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
