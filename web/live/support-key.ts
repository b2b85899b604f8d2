/** First part of the query keys of tickets and their lists, which are asked for anew with each message. */
export const SUPPORT_KEY = 'support'
