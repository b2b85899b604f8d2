/** Documents and pages of plain text. Apart from the schemas, so that a page needs none of zod for them. */
export const DOCUMENTS = [
  'terms-of-use',
  'privacy-policy',
  'refund-policy',
  'acceptable-use',
  'contacts',
  'partners',
  'loyalty',
  'doc',
] as const
export type DocumentName = (typeof DOCUMENTS)[number]
