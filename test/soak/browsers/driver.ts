/** A browser that journeys drive. Elements are found by XPath, which both protocols know. */
export type Driver = AsyncDisposable & {
  readonly name: string
  resize(width: number, height: number): Promise<void>
  open(url: string): Promise<void>
  /** Waits for the element and presses it as a person does. */
  press(xpath: string): Promise<void>
  /** Waits for the field and types into it. */
  type(xpath: string, text: string): Promise<void>
  /** Waits until the element is shown, and returns its text. */
  textOf(xpath: string): Promise<string>
  /** Runs a function body in the page and returns its result. */
  run<Result>(body: string): Promise<Result>
  /** Returns the errors and warnings of the console since the last call. Plain WebDriver tells none. */
  takeComplaints(): Promise<string[]>
}

const LIMIT_MS = 30_000
const AGAIN_MS = 100

/** Tries `work` until it returns something other than null. Throws after half a minute. */
export async function waitFor<Result>(what: string, work: () => Promise<Result | null>): Promise<Result> {
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    const found = await work()
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
