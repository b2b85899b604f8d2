import '../panel/panel.css'
import { useTranslations } from 'use-intl'
import type { ErrorsReply } from '#contract/calls/reference-calls.ts'
import { wordAnchor } from '#web/screens/doc/panel/word-anchor.ts'
import { ENTRY_LOOK } from './looks.ts'

/** Lists the words by which a protocol of other services refuses, with our codes that each word stands for. */
export function WordList({ name, words }: ErrorsReply['data']['protocols'][number]) {
  const t = useTranslations('errorList')
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="mt-8 scroll-mt-20">
      <h2 id={`${name}-title`} className="text-xl font-semibold tracking-tight">
        {t(`words.${name}`)}
      </h2>
      <p className="mt-1 mb-2 text-muted">{t(`wordsText.${name}`)}</p>
      <ul className="divide-y divide-hairline border-y border-hairline">
        {words.map(({ word, remedy, codes }) => (
          <li key={word} id={wordAnchor(name, word)} className={ENTRY_LOOK}>
            <h3 className="min-w-0 font-mono text-[13px] font-semibold wrap-anywhere">{word}</h3>
            <div className="min-w-0">
              <p>{remedy}</p>
              {codes.length === 0 ? null : (
                <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
                  {codes.map((code) => (
                    <a key={code} href={`#${code}`} className="code-link">
                      {code}
                    </a>
                  ))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
