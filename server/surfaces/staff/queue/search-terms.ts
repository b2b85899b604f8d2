/** The possible meanings of a search in the queue of tickets. Null means that the text cannot have this meaning. */
export type SearchTerms = {
  id: bigint | null
  accountId: number | null
  /** Phone numbers as digits with the country code. A number written with a leading 8 may begin with 7. */
  phones: string[] | null
  email: string | null
  transactionId: string | null
  /** The beginnings of words in the subject, for to_tsquery. */
  words: string | null
}

const ACCOUNT = /^#(\d{1,9})$/
const ID = /^#?(\d{1,15})$/
const PHONE = /^\+?[\d\s().-]+$/
const SHORTEST_PHONE = 7
const LONGEST_PHONE = 15
const ADDRESS = /^[^\s@]+(?:@[^\s@]*)?$/
const SHORTEST_ADDRESS = 3
const MOST_WORDS = 6

export function readSearch(search: string): SearchTerms {
  const id = ID.exec(search)?.[1]
  const account = ACCOUNT.exec(search)?.[1]
  return {
    id: id === undefined ? null : BigInt(id),
    accountId: account === undefined ? null : Number(account),
    phones: phonesOf(search),
    email: ADDRESS.test(search) && search.length >= SHORTEST_ADDRESS ? `${escapeLike(search.toLowerCase())}%` : null,
    transactionId: /^[\w-]{8,60}$/.test(search) ? search : null,
    words: wordsOf(search),
  }
}

function phonesOf(search: string): string[] | null {
  if (!PHONE.test(search)) return null
  const digits = search.replaceAll(/\D/g, '')
  if (digits.length < SHORTEST_PHONE || digits.length > LONGEST_PHONE) return null
  return /^8\d{10}$/.test(digits) ? [digits, `7${digits.slice(1)}`] : [digits]
}

/** Returns the words of a search. A number matches only as a whole word, because too many words begin with it. */
function wordsOf(search: string): string | null {
  if (/^\d+$/.test(search)) return search
  if (ID.test(search) || PHONE.test(search)) return null
  const words = search.match(/[\p{L}\p{N}]+/gu)?.slice(0, MOST_WORDS) ?? []
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ')
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
