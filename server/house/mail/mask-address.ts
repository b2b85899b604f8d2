/** Masks a mail address for the log. The log can be searched for a known address, but does not identify its owner. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address].slice(0, 1).join('')}***${at === -1 ? '' : address.slice(at)}`
}
