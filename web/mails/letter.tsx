import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import type { Locale } from '#contract/constants.ts'
import { DARK_STYLES, look } from './look.ts'
import type { Language, MailWords } from './words.ts'

type LetterProps = { words: MailWords; language: Language; locale: Locale; site: string }

/** A letter as a ticket: what it is about above the perforation, what to do if it was not you on the stub below. */
export function Letter({ words, language, locale, site }: LetterProps) {
  return (
    <Html lang={locale}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Phones would make links of codes and dates. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{words.subject}</title>
        <style>{DARK_STYLES}</style>
      </Head>
      <Body className="paper" style={look.body}>
        <Preview>{words.code === undefined ? words.lead : `${words.code}. ${words.lead}`}</Preview>
        <main>
          <Container style={look.container}>
            <Text className="ink" style={look.logo}>
              ringpost
            </Text>
            <Section className="surface" style={look.ticket}>
              <Text role="heading" aria-level={1} className="ink" style={look.heading}>
                {words.heading}
              </Text>
              <Text className="ink" style={look.lead}>
                {words.lead}
              </Text>
              <Particulars words={words} language={language} />
              <Hr className="line" style={look.perforation} />
              <Text className="muted" style={look.small}>
                {words.ifNotYou}
              </Text>
            </Section>
            <Text className="muted" style={look.footer}>
              Ringpost ·{' '}
              <a href={site} target="_blank" rel="noreferrer" className="muted" style={look.footerLink}>
                {site.replace(/^https?:\/\//, '')}
              </a>
              <br />
              {language.footer}
            </Text>
          </Container>
        </main>
      </Body>
    </Html>
  )
}

function Particulars({ words, language }: Pick<LetterProps, 'words' | 'language'>) {
  const { code, facts, action, note } = words
  return (
    <>
      {code !== undefined && (
        <Text className="code" style={look.code}>
          {code}
        </Text>
      )}
      {facts?.map(({ label, value }) => (
        <Text key={label} className="ink" style={look.fact}>
          <span className="muted" style={look.label}>
            {label}
          </span>
          <br />
          {value}
        </Text>
      ))}
      {action !== undefined && (
        <>
          <Button href={action.url} target="_blank" rel="noreferrer" className="button" style={look.button}>
            {action.label}
          </Button>
          <Text className="muted" style={look.plainLink}>
            {language.plainLink}
            <br />
            <a href={action.url} target="_blank" rel="noreferrer" className="signal" style={look.link}>
              {action.url}
            </a>
          </Text>
        </>
      )}
      {note !== undefined && (
        <Text className="muted" style={look.small}>
          {note}
        </Text>
      )}
    </>
  )
}
