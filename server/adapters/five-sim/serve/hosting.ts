/** 5sim's hosting products, served as rentals of the whole number. An unsold length becomes the next longer one. */
const HOURS: ReadonlyMap<string, number> = new Map([
  ['3hours', 4],
  ['1day', 24],
  ['10days', 336],
  ['1month', 720],
])
const PRODUCTS = new Map([...HOURS].map(([product, hours]) => [hours, product]))

export const HOSTING_PRODUCTS = [...HOURS].map(([product, hours]) => ({ product, hours }))

export const hoursOf = (product: string): number | undefined => HOURS.get(product)

/** Rentals of other lengths were made through other APIs; they are named like `72hours`. */
export const productOf = (hours: number): string => PRODUCTS.get(hours) ?? `${hours}hours`
