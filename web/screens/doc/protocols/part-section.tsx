import { useTranslations } from 'use-intl'
import type { ProtocolPart, ProtocolReply } from '#contract/calls/reference-calls.ts'
import { programExample } from '#web/screens/doc/examples/programs.ts'
import { writeExample } from '#web/screens/doc/examples/write-example.ts'
import { CodePanel, type Write } from '#web/screens/doc/panel/code-panel.tsx'
import { FieldList } from '#web/screens/doc/panel/field-list.tsx'
import { RefusalList } from '#web/screens/doc/panel/refusal-list.tsx'
import { wordAnchor } from '#web/screens/doc/panel/word-anchor.ts'

type PartSectionProps = { part: ProtocolPart; words: ProtocolReply['data']['words'] }

export function PartSection({ part, words }: PartSectionProps) {
  const t = useTranslations()
  const { id, title, text, fields, request } = part
  const anchor = words === null ? undefined : (word: string) => wordAnchor(words, word)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={SECTION_LOOK}>
      <div className="grid min-w-0 content-start gap-4">
        <div>
          <h2 id={`${id}-title`} className="text-xl font-semibold tracking-tight">
            {title}
          </h2>
          {request === null ? null : (
            <code className="mt-1 block font-mono text-[13px] text-muted wrap-anywhere">
              {request.method} {request.address.replace(/[?&]api_key=\{key\}/, '')}
            </code>
          )}
          <p className="mt-2 max-w-prose">{text}</p>
        </div>
        {fields.length === 0 ? null : <FieldList title={t('reference.takes')} fields={fields} heading="h3" />}
        {part.words.length === 0 ? null : (
          <RefusalList codes={part.words} heading="h3" anchor={anchor} alone={words !== null} />
        )}
      </div>
      <CodePanel
        anchor={id}
        name={title}
        write={writerOf(part)}
        codeTitle={t(part.program === null ? 'examples.request' : 'examples.program')}
        reply={part.answer}
        replyTitle={t('examples.reply')}
      />
    </section>
  )
}

const SECTION_LOOK = 'mt-8 grid scroll-mt-20 gap-x-6 gap-y-4 border-t border-hairline pt-6 lg:grid-cols-2'

/** Returns what writes the program of a part for its reader; null if the part only shows what comes. */
function writerOf({ request, program }: ProtocolPart): Write | null {
  if (program !== null) return ({ language, ...reader }) => programExample(program, language, reader)
  if (request === null) return null
  const { address, ...rest } = request
  return ({ site, language, apiKey }) => writeExample(language, { ...rest, url: site + address }, apiKey)
}
