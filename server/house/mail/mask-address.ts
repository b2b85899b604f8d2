/** Enough to find the mail when its owner asks, too little to identify them. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address].slice(0, 1).join('')}***${at === -1 ? '' : address.slice(at)}`
}
