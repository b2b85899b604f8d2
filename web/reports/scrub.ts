/** The order matters, because e-mail addresses contain digits, and tokens may contain e-mail addresses. */
const SECRETS: readonly [RegExp, string][] = [
  [/[^\s@"'<>()/?&=]+(?:@|%40)[^\s@"'<>()/?&=]+/gi, '[e-mail]'],
  [/\b(?:Bearer|Basic)\s+\S+/gi, '[token]'],
  [/\b(?=[\w-]*\d)[\w-]{20,}/g, '[token]'],
  [/\+?\d(?:[\s-]?\d){3,}/g, '[digits]'],
]

/** Removes e-mail addresses, tokens, codes and phone numbers from a text. */
export function scrubText(text: string): string {
  return SECRETS.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text)
}

/** Removes personal data from a URL, and drops its query and hash. */
export function scrubUrl(url: string): string {
  const bare = url.split(/[?#]/)[0] ?? ''
  const [, origin = '', path = bare] = /^(https?:\/\/[^/]*)(.*)$/.exec(bare) ?? []
  return origin + scrubText(path)
}
