/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

/** Matches the beginning of a sentence whose subject is missing or stands elsewhere. */
const HEADLESS = /^(?:What|Of|One|Those|Whose|Whoever|Whatever|Who|Else|Nor|[Nn]ull:|[Ff]alse:|[Tt]rue:)(?!\w)/
/** Matches the beginning of a first sentence that refers to an earlier sentence. */
const DANGLING = /^(?:It|Its|They|Them|Their|Such|With|Without)(?!\w)/
/** The maximum number of words per sentence. STYLE.md asks for 20, but lists and names may be longer. */
const MAX_WORDS = 28
const FOR_PROGRAMS = /^(?:@|biome-|eslint-|<reference|#__PURE__)/
const ABBREVIATION = /\b(e\.g|i\.e|etc|vs|No|St)\./g
const SENTENCE_END = /(?<=[.!?])\s+|\n(?=\s*- )/

/** Returns a complaint for each unclear or too long sentence in comments. @param {SourceFile[]} files */
export function findUnplainComments(files) {
  return files.flatMap(({ path, comments }) =>
    comments
      .filter(({ text }) => !FOR_PROGRAMS.test(text))
      .flatMap(({ line, text }) => judge(text).map((reason) => `${path}:${line} ${reason}`)),
  )
}

function judge(text) {
  return splitSentences(text).flatMap((sentence, nth) => {
    const shown = `"${sentence.slice(0, 60)}"`
    if (HEADLESS.test(sentence) || (nth === 0 && DANGLING.test(sentence)))
      return [`begins without its subject: ${shown}`]
    const words = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
    return words > MAX_WORDS ? [`${words} words in one sentence: ${shown}`] : []
  })
}

function splitSentences(text) {
  return text
    .replaceAll(/`[^`]*`/g, '`x`')
    .replaceAll(ABBREVIATION, '$1')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim().replace(/^- /, ''))
}

/**
 * Returns a complaint for each sentence in documents that lacks its subject.
 * @param {{ path: string, text: string }[]} documents
 */
export function findUnplainSentences(documents) {
  return documents.flatMap(({ path, text }) =>
    paragraphsOf(text).flatMap((paragraph) =>
      splitSentences(paragraph)
        .map((sentence) => sentence.replace(/^\*\*/, ''))
        .filter((sentence) => HEADLESS.test(sentence))
        .map((sentence) => `${path} begins without its subject: "${sentence.slice(0, 60)}"`),
    ),
  )
}

function paragraphsOf(text) {
  return text
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/^\s*[|#].*$/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) =>
      paragraph
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
}
