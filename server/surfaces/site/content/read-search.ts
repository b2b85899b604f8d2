import type { Locale } from '#contract/constants.ts'
import { fold, toLatin } from '#contract/formats/letters.ts'
import { type Found, findBy, RANK, type Searchable } from '#contract/formats/search-names.ts'
import { shownCountries, soldServices } from '#server/core/catalog/directory/items.ts'
import { countryNames, serviceNames } from '#server/core/catalog/lists/searched-names.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import { contentOf } from './content-of.ts'
import type { Content } from './read-content.ts'

const WORD = /[\p{L}\p{N}]+/gu
/** The number of words up to which a search is interpreted. A longer search is taken literally. */
const WORDS_READ = 8
const MEANINGS_KEPT = 5
const NAMED_KEPT = 3
/** The minimum length of a word that may match the beginning of a name. A shorter word must equal a nickname («тг»). */
const SHORTEST_BEGINNING = 4
const GENERAL_WORDS = {
  ru: { service: 'сервис', country: 'страна' },
  en: { service: 'service', country: 'country' },
} as const

export type ReadSearch = {
  /** The alternatives for each typed word, the likeliest first. */
  meant: string[][]
  /** The services that the search names by words that no text contains. Brands count even if a text contains them. */
  services: ServiceRow[]
  countries: CountryRow[]
}

/**
 * Interprets the words of a search. A word that no text contains may be in another alphabet or keyboard layout,
 * mistyped, or the name of a service or country (search-names.ts).
 */
export async function readSearch(ctx: Context, locale: Locale, search: string): Promise<ReadSearch> {
  // Only spaces split the search, because punctuation may be keys of another keyboard layout (`gj;fkeqcnf`).
  const typed = fold(search).split(' ')
  const words = vocabularyOf((await contentOf(ctx))[locale])
  const brands = new Set(soldServices(ctx).flatMap(({ name_ru, name_en }) => [fold(name_ru), fold(name_en)]))
  const nicknames = new Set(soldServices(ctx).flatMap((row) => serviceNames(row, locale).also.map(fold)))
  const namesService = (word: string) => nicknames.has(word) || brands.has(toLatin(word))
  // A text about a brand (notices in Telegram) must not turn the brand's name into an ordinary word. Neither must a
  // question (`asked`) turn a nickname into one.
  const isOrdinary = (word: string) =>
    !brands.has(word) && words.has(word) && (words.get(word)?.isShown === true || !namesService(word))
  const isKnown = (part: string) => (part.match(WORD) ?? []).every(isOrdinary)
  const read: ReadSearch = { meant: [], services: [], countries: [] }
  const literal = (part: string) => (part.match(WORD) ?? []).map((word) => [word])
  if (typed.length > WORDS_READ) return { ...read, meant: typed.flatMap(literal) }
  const meant: string[][] = []
  const general = new Set<string>()
  for (const part of typed) {
    if (isKnown(part)) {
      meant.push(...literal(part))
      continue
    }
    const asTyped = part.match(WORD) ?? []
    const ordinary = [...words.values()].filter(({ name }) => isOrdinary(name))
    const meanings = sure(
      part,
      findBy(ordinary, part, (word) => word),
    )
    const isSpelled = meanings.some(({ rank }) => rank < RANK.mistyped)
    const named = isSpelled ? null : nameIn(ctx, locale, part, meanings.length === 0)
    if (named === null) meant.push([...meanings.slice(0, MEANINGS_KEPT).map(({ item }) => item.name), ...asTyped])
    else {
      read.services.push(...named.services)
      read.countries.push(...named.countries)
      general.add(GENERAL_WORDS[locale][named.services.length > 0 ? 'service' : 'country'])
      for (const { name_ru, name_en } of named.services) {
        for (const name of [fold(name_ru), fold(name_en)]) if (words.has(name)) general.add(name)
      }
    }
  }
  // If a name of a service or country was found, the remaining words say what the question about it is.
  read.meant = meant.length > 0 ? meant : [[...general]]
  return read
}

function nameIn(
  ctx: Context,
  locale: Locale,
  part: string,
  forgiving: boolean,
): Pick<ReadSearch, 'services' | 'countries'> | null {
  const kept = <Row>(found: Found<Row>[]) =>
    sure(part, found)
      .filter(({ rank }) => rank <= RANK.alsoBegins || (forgiving && rank >= RANK.mistyped))
      .slice(0, NAMED_KEPT)
      .map(({ item }) => item)
  const services = kept(findBy(soldServices(ctx), part, (row) => serviceNames(row, locale)))
  const countries = kept(findBy(shownCountries(ctx), part, (row) => countryNames(row, locale)))
  return services.length + countries.length === 0 ? null : { services, countries }
}

function sure<Item>(part: string, found: Found<Item>[]): Found<Item>[] {
  return found.filter(({ rank }) => rank === RANK.exact || (rank !== RANK.inside && part.length >= SHORTEST_BEGINNING))
}

/** `isShown` tells that a text has the word, not only the field `asked` of an answer. */
type Word = Searchable & { isShown: boolean }

const vocabularies = new WeakMap<Content, ReadonlyMap<string, Word>>()

function vocabularyOf(content: Content): ReadonlyMap<string, Word> {
  const known = vocabularies.get(content)
  if (known !== undefined) return known
  const found = new Map<string, Word>()
  const add = (text: string, isShown: boolean) => {
    for (const word of fold(text).match(WORD) ?? []) found.set(word, { id: word, name: word, isShown })
  }
  for (const { front } of content.answers) add(front.asked, false)
  for (const { front, plain } of [...content.articles, ...content.answers]) {
    add(`${front.title} ${front.description} ${plain}`, true)
  }
  vocabularies.set(content, found)
  return found
}
