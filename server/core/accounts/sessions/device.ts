import { UNKNOWN_DEVICE } from '#contract/account-constants.ts'

/** The order of browsers matters, because most browsers also name the browsers they descend from. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Yandex', /YaBrowser\//],
  ['Samsung', /SamsungBrowser\//],
  ['Opera', /OPR\/|OPT\/|OPiOS\/|Opera[ /]/],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\/|Chromium\//],
  ['Safari', /Safari\//],
]
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
]

/** Returns a device name such as "Chrome, Windows". Unknown parts are left out; `UNKNOWN_DEVICE` if both are. */
export function deviceOf(userAgent: string): string {
  const names = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter((name) => name !== undefined)
  return names.join(', ') || UNKNOWN_DEVICE
}

function nameIn(list: typeof BROWSERS, userAgent: string): string | undefined {
  return list.find(([, pattern]) => pattern.test(userAgent))?.[0]
}
