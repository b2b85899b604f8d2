import type { Locale } from '#contract/constants.ts'
import { Box, ButtonLink, Preview } from './boxes.tsx'
import { DARK_STYLES, look } from './look.ts'
import type { Language, MailWords } from './words.ts'

type LetterProps = { words: MailWords; language: Language; locale: Locale; site: string }

export function Letter({ words, language, locale, site }: LetterProps) {
  return (
    <html lang={locale} dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Phones would turn codes and dates into links without this tag. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{words.subject}</title>
        <style>{DARK_STYLES}</style>
      </head>
      <body className="paper" style={look.body}>
        {/* The colour is set on the table, too, because programs that drop the body keep its table. */}
        <Box className="paper" style={look.page}>
          <Preview text={words.code === undefined ? words.lead : `${words.code}. ${words.lead}`} />
          <main>
            <Box maxWidth={look.width}>
              <p className="ink" style={look.logo}>
                ringpost
              </p>
              <Box className="surface" style={look.ticket}>
                <h1 className="ink" style={look.heading}>
                  {words.heading}
                </h1>
                <p className="ink" style={look.lead}>
                  {words.lead}
                </p>
                <Particulars words={words} language={language} />
                <hr className="line" style={look.perforation} />
                <p className="muted" style={look.small}>
                  {words.ifNotYou}
                </p>
              </Box>
              <p className="muted" style={look.footer}>
                Ringpost ·{' '}
                <a href={site} target="_blank" rel="noreferrer" className="muted" style={look.footerLink}>
                  {site.replace(/^https?:\/\//, '')}
                </a>
                <br />
                {language.footer}
              </p>
            </Box>
          </main>
        </Box>
      </body>
    </html>
  )
}

function Particulars({ words, language }: Pick<LetterProps, 'words' | 'language'>) {
  const { code, facts, action, note } = words
  return (
    <>
      {code !== undefined && (
        <p className="code" style={look.code}>
          {code}
        </p>
      )}
      {facts?.map(({ label, value, url }) => (
        <p key={label} className="ink" style={look.fact}>
          <span className="muted" style={look.label}>
            {label}
          </span>
          <br />
          {value}
          {url !== undefined && (
            <>
              <br />
              <a href={url} target="_blank" rel="noreferrer" className="signal" style={look.link}>
                {url}
              </a>
            </>
          )}
        </p>
      ))}
      {action !== undefined && (
        <>
          <ButtonLink href={action.url} className="button" style={look.button}>
            {action.label}
          </ButtonLink>
          <p className="muted" style={look.plainLink}>
            {language.plainLink}
            <br />
            <a href={action.url} target="_blank" rel="noreferrer" className="signal" style={look.link}>
              {action.url}
            </a>
          </p>
        </>
      )}
      {note !== undefined && (
        <p className="muted" style={look.small}>
          {note}
        </p>
      )}
    </>
  )
}
