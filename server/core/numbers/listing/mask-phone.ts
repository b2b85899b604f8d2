/** Masks the middle of a phone: the rest suffices to tell numbers apart but not to know one. */
export function maskPhone(phone: string): string {
  // Four digits at each end would show a short number whole.
  const shown = phone.length < 11 ? 2 : 4
  return `${phone.slice(0, shown)}${'*'.repeat(Math.max(0, phone.length - 2 * shown))}${phone.slice(-shown)}`
}
