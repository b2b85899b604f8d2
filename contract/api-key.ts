/** What an API key may do; each call names what it needs. None includes another. */
export const KEY_SCOPES = ['read', 'buy', 'money'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]
