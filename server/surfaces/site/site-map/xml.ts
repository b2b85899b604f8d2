const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes a text for XML and removes control characters, because XML forbids them. */
export function escapeXml(text: string): string {
  return text.replaceAll(/(?![\n\r\t])\p{Cc}/gu, '').replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

export function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
