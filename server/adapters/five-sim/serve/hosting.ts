/** 5sim's hosting products are our rentals of a whole number. A length that we lack becomes the next longer one. */
const HOURS: ReadonlyMap<string, number> = new Map([
  ['3hours', 4],
  ['1day', 24],
  ['10days', 336],
  ['1month', 720],
])
const PRODUCTS = new Map([...HOURS].map(([product, hours]) => [hours, product]))

export const HOSTING_PRODUCTS = [...HOURS].map(([product, hours]) => ({ product, hours }))

export const hoursOf = (product: string): number | undefined => HOURS.get(product)

/** Returns 5sim's product name of a rental. A length that only our other APIs sell gets a name like `72hours`. */
export const productOf = (hours: number): string => PRODUCTS.get(hours) ?? `${hours}hours`
