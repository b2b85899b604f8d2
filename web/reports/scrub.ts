/** In order: an address holds digits, and a token may hold an address's letters. */
const SECRETS: readonly [RegExp, string][] = [
  [/[^\s@"'<>()/?&=]+(?:@|%40)[^\s@"'<>()/?&=]+/gi, '[e-mail]'],
  [/\b(?:Bearer|Basic)\s+\S+/gi, '[token]'],
  [/\b(?=[\w-]*\d)[\w-]{20,}/g, '[token]'],
  [/\+?\d(?:[\s-]?\d){3,}/g, '[digits]'],
]

/** Text without what belongs to a person: e-mail addresses, tokens, codes and phones. */
export function scrubText(text: string): string {
  return SECRETS.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text)
}

/** An address without its query and its mark, and scrubbed: only where in the site it is. */
export function scrubUrl(url: string): string {
  const bare = url.split(/[?#]/)[0] ?? ''
  const [, origin = '', path = bare] = /^(https?:\/\/[^/]*)(.*)$/.exec(bare) ?? []
  return origin + scrubText(path)
}
