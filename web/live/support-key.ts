/** The first part of the query keys of tickets and their lists. Each support message refetches these queries. */
export const SUPPORT_KEY = 'support'
