/** Makes a JSON number that keeps its decimals: 12.50 stays 12.50, because no float is used. */
export function exactNumber(decimal: string): unknown {
  // The cast adds JSON.rawJSON, which Node has and our TypeScript target lacks.
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(decimal)
}
