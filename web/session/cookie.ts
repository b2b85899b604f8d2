/** Sets a cookie that the server reads to choose language and theme. Not for secrets: those are HttpOnly. */
export function setPreferenceCookie(name: 'locale' | 'theme', value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`
}
