/** Returns the id of a protocol's word on the page of errors. Words of 5sim have spaces, which an id may not have. */
export function wordAnchor(protocol: 'handler-api' | 'five-sim', word: string): string {
  return `${protocol}.${word.replaceAll(' ', '-')}`
}
