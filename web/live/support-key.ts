/** The first part of the query keys of tickets and their lists, which are refetched with each message. */
export const SUPPORT_KEY = 'support'
