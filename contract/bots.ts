const BOT_PATTERN =
  /(?<!cu)bot(?:\b|_)|crawl|spider|slurp|yandex(?:images|metrika|direct)|mediapartners|facebookexternalhit/i

/** Whether a browser calls itself a program that reads pages for others. Who hides it is treated like a person. */
export function isBot(userAgent: string): boolean {
  return BOT_PATTERN.test(userAgent)
}
