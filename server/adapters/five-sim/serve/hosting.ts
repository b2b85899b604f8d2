/**
 * 5sim's hosting products are sold as rentals of the whole number. A length that we do not sell becomes the next longer
 * one.
 */
const HOURS: ReadonlyMap<string, number> = new Map([
  ['3hours', 4],
  ['1day', 24],
  ['10days', 336],
  ['1month', 720],
])
const PRODUCTS = new Map([...HOURS].map(([product, hours]) => [hours, product]))

export const HOSTING_PRODUCTS = [...HOURS].map(([product, hours]) => ({ product, hours }))

export const hoursOf = (product: string): number | undefined => HOURS.get(product)

/**
 * Names a rental of a length that 5sim does not sell, such as `72hours`. Such rentals were made through our other APIs.
 */
export const productOf = (hours: number): string => PRODUCTS.get(hours) ?? `${hours}hours`
