/** Masks the middle of a phone, so that numbers can be told apart but no number is revealed. */
export function maskPhone(phone: string): string {
  // Four digits at each end would reveal most of a short number.
  const shown = phone.length < 11 ? 2 : 4
  return `${phone.slice(0, shown)}${'*'.repeat(Math.max(0, phone.length - 2 * shown))}${phone.slice(-shown)}`
}
