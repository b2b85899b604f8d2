/** Sets a cookie that scripts can read. Secrets belong in HttpOnly cookies instead. */
export function setCookie(name: string, value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`
}

/** Returns the value of a cookie; null if it is missing or was not written by `setCookie`. */
export function readCookie(name: string): string | null {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  if (pair === undefined) return null
  try {
    return decodeURIComponent(pair.slice(name.length + 1))
  } catch {
    return null
  }
}

export function clearCookie(name: string): void {
  setCookie(name, '', 0)
}
