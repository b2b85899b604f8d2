import type { FileType } from '#contract/support/support-constants.ts'
import type { FileContent } from '../queries/files.ts'

const ENDINGS: Record<FileType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/**
 * Returns headers that keep browsers from guessing a type or running anything in the file. A PDF is saved, never shown.
 */
export function fileHeaders({ name, type, content }: FileContent): Record<string, string | number> {
  const saved = `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${ENDINGS[type]}`
  const ascii = saved.replaceAll(/[^\x20-\x7e]|[%"\\]/g, '_')
  const how = type === 'application/pdf' ? 'attachment' : 'inline'
  return {
    'content-type': type,
    'content-length': content.length,
    'content-disposition': `${how}; filename="${ascii}"; filename*=UTF-8''${encodeValue(saved)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  }
}

/** Encodes a header value by RFC 8187. */
function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
