import type { FastifyRequest } from 'fastify'

export const ACCESS_COOKIE = 'auth_token'
export const REFRESH_COOKIE = 'refresh_token'
/** Tells one browser of a person from another at sign-in, and nothing else. */
export const DEVICE_COOKIE = 'device'

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.cookies[name]
  return value === undefined || value === '' ? undefined : value
}
