/** Enough of a number to tell it from others when somebody asks, too little to have it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -4).replaceAll(/\d/g, (digit, place: number) => (place < 4 ? digit : '*'))}${phone.slice(-4)}`
}
