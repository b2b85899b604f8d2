/** Makes a JSON number with the decimals as written: 12.50 stays 12.50, without a float. */
export function exactNumber(decimal: string): unknown {
  // The cast adds JSON.rawJSON, which Node has and our TypeScript target lacks.
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(decimal)
}
