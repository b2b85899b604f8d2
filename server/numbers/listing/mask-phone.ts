/** Enough of a number to tell it from others when somebody asks, too little to have it. */
export function maskPhone(phone: string): string {
  // A short number would be all there with four digits at each end.
  const shown = phone.length < 11 ? 2 : 4
  return `${phone.slice(0, shown)}${'*'.repeat(Math.max(0, phone.length - 2 * shown))}${phone.slice(-shown)}`
}
