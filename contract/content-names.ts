/** A module without zod, so that pages need not load it. */
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
