import compileMessage from 'icu-minify/compile'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

/**
 * Both languages must know the same texts, and put the same values into each.
 * @param {{ ru: object, en: object }} locales
 * @returns {string[]} one sentence for each violation
 */
export function findLocaleViolations({ ru, en }) {
  const russian = textsOf(ru)
  const english = textsOf(en)
  return [
    ...[...russian.keys()].filter((key) => !english.has(key)).map((key) => `web/locales/en lacks ${key}`),
    ...[...english.keys()].filter((key) => !russian.has(key)).map((key) => `web/locales/ru lacks ${key}`),
    ...[...russian].flatMap(([key, text]) => judgeValues(key, text, english.get(key))),
  ]
}

/** A value may be left out where a language has no word for it, but not of one language alone. */
function judgeValues(key, russian, english) {
  if (english === undefined) return []
  const [inRussian, inEnglish] = [valuesOf(russian), valuesOf(english)]
  return inRussian === inEnglish ? [] : [`${key} has other values in ru (${inRussian}) than in en (${inEnglish})`]
}

/** The names of the values and marks of a message, in the order of the alphabet. */
function valuesOf(text) {
  return [...new Set(namesIn(compileMessage(text)))].sort().join(', ')
}

/** Of a compiled message: a text, or a list of texts and of [name, …], where a choice has its branches by name. */
function namesIn(message) {
  if (!Array.isArray(message)) return []
  return message.filter(Array.isArray).flatMap(([name, ...rest]) => {
    // Inside a mark stand parts, inside a choice whole messages.
    const choices = rest.filter((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
    return [name, ...namesIn(rest), ...choices.flatMap((branches) => Object.values(branches).flatMap(namesIn))]
  })
}

/**
 * Texts that no page shows. A text is used when the name of a group of it and the rest of its key both stand as strings
 * in the pages: `useTranslations('buy')` and `t('press')`, or a template `t(`steps.${step}`)`.
 * @param {object} locale
 * @param {SourceFile[]} files
 * @returns {string[]} one sentence for each
 */
export function findUnusedTexts(locale, files) {
  const strings = new Set(files.filter(({ path }) => isPage(path)).flatMap((file) => file.strings))
  // A template of nothing but values would use everything.
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

/** `a.b.c` as a group and a rest: `['', 'a.b.c']`, `['a', 'b.c']`, `['a.b', 'c']`. */
function splitsOf(key) {
  const parts = key.split('.')
  return parts.map((_, index) => [parts.slice(0, index).join('.'), parts.slice(index).join('.')])
}

/** Every text by its key. */
function textsOf(value, prefix = '') {
  return new Map(
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'object' && inner !== null
        ? [...textsOf(inner, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, inner]],
    ),
  )
}
