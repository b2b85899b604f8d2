import type { Api } from '#contract/calls/calls.ts'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { type DirectoryItem, PRICE_LIST_MAX_PAGE, type PriceListReply } from '#contract/content.ts'
import type { BoardRow, BoardView } from '#web/catalogue/board/board-rows.ts'
import type { DirectoryKind } from '#web/catalogue/directory-paths.ts'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'

export const ITEMS_LISTED = 40

/** The page's question: the prices of which service or country, and which rows of them. */
export type PricesWanted = {
  /** The kind of what is chosen. The rows are of the other kind. */
  by: DirectoryKind
  /** The id of the chosen service or country, or words to find it by; empty for the most popular one. */
  chosen: string
  /** Words that the names of rows must fit. */
  search: string
}

export type Prices = {
  /** The question that these prices answer. */
  wanted: PricesWanted
  item: DirectoryItem | null
  rows: BoardRow[]
  /** The number of rows in stock, of which `rows` has at most a page. */
  total: number
  currency: PriceListReply['currency']
}

export function readWanted(params: URLSearchParams): PricesWanted {
  const read = (name: string) =>
    normalizeText(params.get(name) ?? '')
      .trim()
      .slice(0, SEARCH_MAX_LENGTH)
  const [service, country] = [read('service'), read('country')]
  return params.get('by') === 'country' || (service === '' && country !== '')
    ? { by: 'countries', chosen: country, search: service }
    : { by: 'services', chosen: service, search: country }
}

export async function listItems(api: Api, kind: DirectoryKind, search: string): Promise<DirectoryItem[]> {
  const words = search === '' ? {} : { search }
  return (await api('GET /api/v1/directory/{kind}', { kind, per_page: ITEMS_LISTED, ...words })).data
}

/** Loads the rows of the board, which `order` limits and sorts. `known` are popular items of the chosen kind. */
export async function loadPrices(
  api: Api,
  wanted: PricesWanted,
  known: readonly DirectoryItem[],
  order: Partial<BoardView> = {},
): Promise<Prices> {
  const item = await findItem(api, wanted, known)
  if (item === null) return { wanted, item, rows: [], total: 0, currency: 'rub' }
  const { by, search } = wanted
  const { sort = 'popular', minShare = 0 } = order
  const page = { sort, min_share: minShare, per_page: PRICE_LIST_MAX_PAGE }
  const { data, meta, currency } = await api(
    'GET /api/v1/price-list',
    by === 'services'
      ? { ...page, service_id: String(item.id), country: search }
      : { ...page, country_id: Number(item.id), service: search },
  )
  const rows = data.map(({ service, country, ...figures }) => ({
    ...(by === 'services' ? country : service),
    ...figures,
  }))
  return { wanted, item, rows, total: meta.total, currency }
}

async function findItem(
  api: Api,
  { by, chosen }: PricesWanted,
  known: readonly DirectoryItem[],
): Promise<DirectoryItem | null> {
  if (chosen === '') {
    const popular = known.length > 0 ? known : await listItems(api, by, '')
    return popular.find(({ price }) => price !== null) ?? popular[0] ?? null
  }
  const listed = known.find(({ id }) => String(id) === chosen)
  if (listed !== undefined) return listed
  const found = await api('GET /api/v1/directory/{kind}', { kind: by, search: chosen, per_page: 1 })
  return found.data[0] ?? null
}
