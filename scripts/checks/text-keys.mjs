import compileMessage from 'icu-minify/compile'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

/**
 * Finds texts that one language lacks, and texts whose placeholders differ between the languages.
 * @param {{ ru: object, en: object }} locales
 */
export function findLocaleViolations({ ru, en }) {
  const russian = textsOf(ru)
  const english = textsOf(en)
  return [
    ...[...russian.keys()].filter((key) => !english.has(key)).map((key) => `web/locales/en lacks ${key}`),
    ...[...english.keys()].filter((key) => !russian.has(key)).map((key) => `web/locales/ru lacks ${key}`),
    ...[...russian].flatMap(([key, text]) => judgeValues('ru', key, { text, english: english.get(key) })),
  ]
}

/**
 * Finds texts of a draft that English lacks, or that use other values. A text that the draft lacks is shown in English.
 * @param {string} language @param {object} draft @param {object} en
 */
export function findDraftViolations(language, draft, en) {
  const english = textsOf(en)
  return [...textsOf(draft)].flatMap(([key, text]) =>
    english.has(key)
      ? judgeValues(language, key, { text, english: english.get(key) })
      : [`web/locales/${language} has ${key}, which web/locales/en lacks`],
  )
}

/** Checks that the two languages of a text use the same values. A language may have no text for a key. */
function judgeValues(language, key, { text, english }) {
  if (english === undefined) return []
  try {
    const [values, inEnglish] = [valuesOf(text), valuesOf(english)]
    if (values === inEnglish) return []
    return [`${key} has other values in ${language} (${values}) than in en (${inEnglish})`]
  } catch (error) {
    return [`web/locales/${language} has ${key}, which is no message: ${error.message}`]
  }
}

function valuesOf(text) {
  return [...new Set(namesIn(compileMessage(text)))].sort().join(', ')
}

/**
 * Lists the placeholders in a compiled message, which is a text or a list of texts and placeholders. A placeholder is
 * `[name, …]`, some with branches.
 */
function namesIn(message) {
  if (!Array.isArray(message)) return []
  return message.filter(Array.isArray).flatMap(([name, ...rest]) => {
    const choices = rest.filter((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
    return [name, ...namesIn(rest), ...choices.flatMap((branches) => Object.values(branches).flatMap(namesIn))]
  })
}

/**
 * Finds page texts that no page uses. A page uses a text if it names the text's group and the rest of the key:
 * `useTranslations('buy')` and `t('press')`, or a template `t(`steps.${step}`)`.
 * @param {object} locale @param {SourceFile[]} files
 */
export function findUnusedTexts(locale, files) {
  const strings = new Set(files.filter(({ path }) => isPage(path)).flatMap((file) => file.strings))
  // A template that consists of values only would match everything.
  const templates = [...strings].filter((text) => /^[\w.…-]*…[\w.…-]*$/.test(text) && /\w/.test(text)).map(toPattern)
  const isSaid = (key) => strings.has(key) || templates.some((pattern) => pattern.test(key))
  return [...textsOf(locale).keys()]
    .filter((key) => !splitsOf(key).some(([group, rest]) => (group === '' || strings.has(group)) && isSaid(rest)))
    .map((key) => `web/locales: no page shows ${key}`)
}

function isPage(path) {
  return /^(web|contract)\//.test(path) && !/\.test\.tsx?$/.test(path)
}

function toPattern(template) {
  const parts = template.split('…').map((part) => part.replaceAll(/[.-]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\w-]+')}$`)
}

/** Splits a key at each dot: `a.b.c` becomes `['', 'a.b.c']`, `['a', 'b.c']` and `['a.b', 'c']`. */
function splitsOf(key) {
  const parts = key.split('.')
  return parts.map((_, index) => [parts.slice(0, index).join('.'), parts.slice(index).join('.')])
}

function textsOf(value, prefix = '') {
  return new Map(
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'object' && inner !== null
        ? [...textsOf(inner, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, inner]],
    ),
  )
}
