import type { Log } from '#server/house/log.ts'

export type RecordingLog = Log & {
  /** Resolves when `sentence` is logged after this call. */
  next(sentence: string): Promise<void>
  readonly lines: readonly { level: keyof Log; fields: unknown; sentence: string }[]
}

/** Returns a log whose lines a test can await. */
export function recordingLog(): RecordingLog {
  const lines: { level: keyof Log; fields: unknown; sentence: string }[] = []
  const waiting: { sentence: string; resolve: () => void }[] = []
  const record =
    (level: keyof Log) =>
    (...words: unknown[]) => {
      const sentence = String(words.at(-1))
      lines.push({ level, fields: words.length > 1 ? words[0] : undefined, sentence })
      for (const waiter of waiting) if (waiter.sentence === sentence) waiter.resolve()
    }
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    lines,
    next: (sentence) => new Promise((resolve) => waiting.push({ sentence, resolve })),
  }
}
