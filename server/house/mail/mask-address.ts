/**
 * Masks a mail address for the log. The result shows enough to find the mail when its owner asks, and too little to
 * identify the owner.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address].slice(0, 1).join('')}***${at === -1 ? '' : address.slice(at)}`
}
