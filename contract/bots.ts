const BOT_PATTERN =
  /(?<!cu)bot(?:\b|_)|crawl|spider|slurp|yandex(?:images|metrika|direct)|mediapartners|facebookexternalhit/i

export function isBot(userAgent: string): boolean {
  return BOT_PATTERN.test(userAgent)
}
