/** This module imports no zod, so that pages need not load zod. */
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
