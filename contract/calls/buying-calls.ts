import type {
  ACTIVE_NUMBERS_SORTS,
  ActivationInput,
  ActivationReply,
  ActiveNumbers,
  AnotherNumberInput,
  BulkInput,
  BulkReply,
  PurchaseInput,
} from '#contract/activation.ts'
import type {
  CountriesFilter,
  CountriesReply,
  PriceFilter,
  PriceReply,
  RentCountriesFilter,
  RentServicesFilter,
  ServicesFilter,
  ServicesReply,
} from '#contract/catalog.ts'
import type { EntriesFilter, EntriesReply } from '#contract/past/entries.ts'
import type {
  CsvFile,
  HistoryFileFilter,
  HistoryFilter,
  HistoryReply,
  MovementsFileFilter,
  MovementsFilter,
  MovementsReply,
  QualityFilter,
  QualityReply,
  StatementFileFilter,
  StatementFilter,
  StatementReply,
  StatisticsFilter,
  StatisticsReply,
} from '#contract/past/history.ts'
import type { PreorderInput, PreorderReply, PreordersReply } from '#contract/preorder.ts'
import type {
  ActiveRentNumbers,
  ExtendInput,
  ExtensionsReply,
  LatestPurchases,
  RentalReply,
  RentInput,
  RentPriceFilter,
  RentPriceReply,
} from '#contract/rental.ts'

export type ActiveNumbersFilter = {
  search?: string
  page?: number
  per_page?: number
  services_ids?: string[]
  countries_ids?: number[]
  sort?: (typeof ACTIVE_NUMBERS_SORTS)[number]
}

/** `ended`: ended rentals instead of active ones. */
export type RentNumbersFilter = ActiveNumbersFilter & { ended?: '1' }

type ById = { id: number }
type Favorite = { id: string | number; type: 'service' | 'country' }
type FavoriteReply = { status: true; favorites: number }

export type BuyingCalls = {
  'GET /api/services': { input: ServicesFilter; reply: ServicesReply }
  'GET /api/countries': { input: CountriesFilter; reply: CountriesReply }
  'GET /api/price': { input: PriceFilter; reply: PriceReply }
  'GET /api/rent-services': { input: RentServicesFilter; reply: ServicesReply }
  'GET /api/rent-countries': { input: RentCountriesFilter; reply: CountriesReply }
  'GET /api/rent-price': { input: RentPriceFilter; reply: RentPriceReply }
  'GET /api/user/active-numbers': { input: ActiveNumbersFilter; reply: ActiveNumbers }
  'GET /api/user/active-rent-numbers': { input: RentNumbersFilter; reply: ActiveRentNumbers }
  'GET /api/user/latest-purchases': { input: object; reply: LatestPurchases }
  'GET /api/user/latest-rent-purchases': { input: object; reply: LatestPurchases }
  'POST /api/activation/add-to-favorite': { input: Favorite; reply: FavoriteReply }
  'DELETE /api/activation/remove-from-favorite/{type}/{id}': { input: Favorite; reply: FavoriteReply }
  'POST /api/rent/add-to-favorite': { input: Favorite; reply: FavoriteReply }
  'DELETE /api/rent/remove-from-favorite/{type}/{id}': { input: Favorite; reply: FavoriteReply }
  'POST /api/v1/activations': { input: PurchaseInput; reply: ActivationReply }
  'POST /api/v1/activations/bulk': { input: BulkInput; reply: BulkReply }
  'GET /api/v1/activations/{id}': { input: ActivationInput; reply: ActivationReply }
  'POST /api/v1/activations/{id}/cancel': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/again': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/finish': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/used': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/open': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/not-my-code': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/replace': { input: AnotherNumberInput; reply: ActivationReply }
  'POST /api/v1/activations/{id}/repeat': { input: AnotherNumberInput; reply: ActivationReply }
  'POST /api/v1/rentals': { input: RentInput; reply: RentalReply }
  'GET /api/v1/rentals/{id}': { input: ById; reply: RentalReply }
  'POST /api/v1/rentals/{id}/cancel': { input: ById; reply: RentalReply }
  'POST /api/v1/rentals/{id}/finish': { input: ById; reply: RentalReply }
  'GET /api/v1/rentals/{id}/extensions': { input: ById; reply: ExtensionsReply }
  'POST /api/v1/rentals/{id}/extend': { input: ExtendInput; reply: RentalReply }
  'POST /api/v1/preorders': { input: PreorderInput; reply: PreorderReply }
  'GET /api/v1/preorders': { input: object; reply: PreordersReply }
  'POST /api/v1/preorders/{id}/cancel': { input: ById; reply: PreorderReply }
  'GET /api/v1/history': { input: HistoryFilter; reply: HistoryReply }
  'GET /api/v1/movements': { input: MovementsFilter; reply: MovementsReply }
  'GET /api/v1/entries': { input: EntriesFilter; reply: EntriesReply }
  'GET /api/v1/history.csv': { input: HistoryFileFilter; reply: CsvFile }
  'GET /api/v1/movements.csv': { input: MovementsFileFilter; reply: CsvFile }
  'GET /api/v1/statement': { input: StatementFilter; reply: StatementReply }
  'GET /api/v1/statement.csv': { input: StatementFileFilter; reply: CsvFile }
  'GET /api/v1/statistics': { input: StatisticsFilter; reply: StatisticsReply }
  'GET /api/v1/quality': { input: QualityFilter; reply: QualityReply }
}
