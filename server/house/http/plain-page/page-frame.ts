import { createHash } from 'node:crypto'
import type { Locale } from '#contract/constants.ts'
import { Markup, markup } from './markup.ts'
import { STYLE } from './style.ts'

/** The hash of the style sheet, which allows it in the content security policy. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

export function pageFrame(locale: Locale, title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} · Ringpost</title><style>${new Markup(STYLE)}</style></head>
<body><main>${body}</main></body></html>`.text
}
