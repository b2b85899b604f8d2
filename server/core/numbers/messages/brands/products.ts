import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, toPlain } from '../codes/plain-text.ts'

/**
 * Returns where the brand's own products end, or the end of the brand if no product follows. “Google Cloud” uses the
 * Google account, and “Spotify Premium Family” the Spotify account, but “Hinge Health” is a firm other than Hinge.
 */
export function endOfProduct(folded: string, services: readonly string[], end: number): number {
  let last = end
  for (let count = 0; count < MAX_PRODUCTS; count += 1) {
    const next = endOfOne(folded, services, last)
    if (next === last) break
    last = next
  }
  return last
}

const MAX_PRODUCTS = 2

function endOfOne(folded: string, services: readonly string[], end: number): number {
  if (!/[ -]/.test(folded.charAt(end))) return end
  for (const code of services) {
    const found = PRODUCTS.get(code)?.exec(folded.slice(end, end + MAX_LENGTH))
    if (found !== null && found !== undefined) return end + found[0].length
  }
  return end
}

const MAX_LENGTH = 24

const FILE = new URL('../seed/products.tsv', import.meta.url).href
const PRODUCTS: ReadonlyMap<string, RegExp> = new Map(
  readSeedTable(FILE, ['code', 'products']).map(({ code, products }) => {
    const names = products.split('|').map((name) => fold(toPlain(name)))
    const longestFirst = names.toSorted((one, other) => other.length - one.length).map(patternOf)
    return [code, new RegExp(`^[ -](?:${longestFirst.join('|')})(?![\\p{L}\\d])`, 'u')]
  }),
)

/** Builds a pattern for a product's name, also in “Google for Business”, or declined, as in “Яндекс Музыки”. */
function patternOf(name: string): string {
  if (name === 'business') return '(?:for[ -])?business'
  const stem = /^[а-я]{4,}(?=[аеиыя]?$)/.exec(name.replace(/[аеиыя]$/, ''))?.[0]
  return stem === undefined ? name.replaceAll(' ', '[ -]') : `${stem}[а-я]{0,3}`
}
