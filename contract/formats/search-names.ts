import { fold, inOtherLayout, toLatin } from './letters.ts'
import { mistakesIn } from './typing-mistakes.ts'

export type Searchable = { id: string | number; name: string; also?: readonly string[] | undefined }

export const RANK = { exact: 0, begins: 1, alsoBegins: 2, word: 3, alsoWord: 4, inside: 5, mistyped: 6 } as const

export type Found<Item> = { item: Item; rank: number }

/** Order within a rank is stable. If nothing is found, the other keyboard layout is tried, then typing mistakes. */
export function rankByName<Item extends Searchable>(items: readonly Item[], search: string): readonly Item[] {
  return rankBy(items, search, (item) => item)
}

/** `searchedOf` must return the same object for the same item, because folded names are cached by it. */
export function rankBy<Item>(
  items: readonly Item[],
  search: string,
  searchedOf: (item: Item) => Searchable,
): readonly Item[] {
  if (fold(search) === '') return items
  return findBy(items, search, searchedOf).map(({ item }) => item)
}

/** An empty search finds nothing. */
export function findBy<Item>(
  items: readonly Item[],
  search: string,
  searchedOf: (item: Item) => Searchable,
): Found<Item>[] {
  const typed = fold(search)
  if (typed === '') return []
  const meant = fold(inOtherLayout(typed))
  const spelled = findSpelled(items, searchedOf, typed)
  if (spelled.length > 0) return spelled
  const otherLayout = findSpelled(items, searchedOf, meant)
  if (otherLayout.length > 0) return otherLayout
  return findMistyped(items, searchedOf, [typed, toLatin(typed), meant, toLatin(meant)])
}

type Spelling = { text: string; inWord: RegExp }

function findSpelled<Item>(
  items: readonly Item[],
  searchedOf: (item: Item) => Searchable,
  wanted: string,
): Found<Item>[] {
  const spellings = [...new Set([wanted, toLatin(wanted)])].map(toSpelling)
  const found: Found<Item>[] = []
  for (const item of items) {
    const names = foldedNames(searchedOf(item))
    const rank = names.codes.includes(wanted) ? RANK.exact : rankOf(names, spellings)
    if (rank !== null) found.push({ item, rank })
  }
  return found.sort((left, right) => left.rank - right.rank)
}

function toSpelling(text: string): Spelling {
  return { text, inWord: new RegExp(`[^\\p{L}\\p{N}]${escapePattern(text)}`, 'u') }
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

function findMistyped<Item>(
  items: readonly Item[],
  searchedOf: (item: Item) => Searchable,
  spellings: readonly string[],
): Found<Item>[] {
  const forgiving = [...new Set(spellings)]
    .map((text) => ({ text, limit: mistakesForgiven(text) }))
    .filter(({ limit }) => limit > 0)
  const found: Found<Item>[] = []
  for (const item of items) {
    const { own, also } = foldedNames(searchedOf(item))
    let fewest = Infinity
    for (const name of [...own, ...also]) {
      for (const { text, limit } of forgiving) {
        for (const rest of fromEachWord(name)) {
          if (rest.charAt(0) !== text.charAt(0)) continue
          fewest = Math.min(fewest, mistakesIn(text, rest, limit) ?? Infinity)
        }
      }
    }
    if (fewest < Infinity) found.push({ item, rank: RANK.mistyped + fewest })
  }
  return found.sort((left, right) => left.rank - right.rank)
}

function fromEachWord(name: string): string[] {
  return [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => name.slice(index))
}

/** `codes` match exactly only. `own` and `also` include their Latin spellings. */
type FoldedNames = { codes: readonly string[]; own: readonly string[]; also: readonly string[] }

/** Each key press searches all names, and folding them again would take longer than a frame. */
const remembered = new WeakMap<Searchable, FoldedNames>()

function foldedNames(searched: Searchable): FoldedNames {
  const known = remembered.get(searched)
  if (known !== undefined) return known
  const also = (searched.also ?? []).map(fold)
  const folded = {
    codes: [String(searched.id).toLowerCase(), ...also],
    own: inBothAlphabets([fold(searched.name)]),
    also: inBothAlphabets(also),
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
