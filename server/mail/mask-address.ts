/** An address for the log: enough to find it when its owner asks, too little to know whose it is. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address].slice(0, 1).join('')}***${at === -1 ? '' : address.slice(at)}`
}
