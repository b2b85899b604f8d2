/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

/** Sentences that begin so have no subject, or a subject that stands elsewhere. */
const HEADLESS = /^(?:What|Of|One|Those|Whose|Whoever|Whatever|Who|Else|Nor|[Nn]ull:|[Ff]alse:|[Tt]rue:)(?!\w)/
/** A first sentence has no sentence before it that could name its subject or its condition. */
const DANGLING = /^(?:It|Its|They|Them|Their|Such|With|Without)(?!\w)/
/** STYLE.md asks for 20; lists and names may be longer. */
const MAX_WORDS = 28
/** Programs read these comments. */
const FOR_PROGRAMS = /^(?:@|biome-|eslint-|<reference|#__PURE__)/
const ABBREVIATION = /\b(e\.g|i\.e|etc|vs|No|St)\./g
const SENTENCE_END = /(?<=[.!?])\s+|\n(?=\s*- )/

/** @param {SourceFile[]} files */
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

/** @param {{ path: string, text: string }[]} documents Only the beginnings of sentences in prose are judged. */
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

/** Tables, headings and code are no prose. */
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
