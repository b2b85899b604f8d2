import type { CSSProperties } from 'react'

// Mail programs load no style sheets, so styles are inline, in the colours of web/tokens.css. Programs that support
// `prefers-color-scheme` apply the dark colours by class.
const PAPER = '#fbfaf6'
const SURFACE = '#ffffff'
const INK = '#16191f'
const MUTED = '#5c6068'
const HAIRLINE = '#dedad0'
const SIGNAL = '#c7380a'
const SIGNAL_BRIGHT = '#f0501e'
const SIGNAL_WASH = '#fdeee7'
const FONT = "Inter, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const MONOSPACED = "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"

const text: CSSProperties = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: INK }
const small: CSSProperties = { ...text, fontSize: '14px', lineHeight: '20px', color: MUTED }

export const look = {
  /** The width of the ticket that frames a mail, in px. */
  width: 480,
  body: { margin: 0, padding: 0, backgroundColor: PAPER },
  page: { padding: '24px 12px', backgroundColor: PAPER, fontFamily: FONT },
  logo: { ...text, margin: '0 0 12px 4px', fontSize: '19px', fontWeight: 700, letterSpacing: '-0.03em' },
  ticket: {
    padding: '28px 28px 12px',
    backgroundColor: SURFACE,
    border: `1px solid ${HAIRLINE}`,
    borderTop: `4px solid ${SIGNAL_BRIGHT}`,
    borderRadius: '10px',
  },
  heading: { ...text, margin: '0 0 8px', fontSize: '22px', lineHeight: '28px', fontWeight: 700 },
  lead: text,
  code: {
    margin: '20px 0',
    padding: '16px 8px',
    fontFamily: MONOSPACED,
    fontSize: '36px',
    lineHeight: '44px',
    fontWeight: 700,
    letterSpacing: '0.14em',
    textAlign: 'center',
    color: SIGNAL,
    backgroundColor: SIGNAL_WASH,
    borderRadius: '10px',
  },
  fact: { ...text, margin: '0 0 12px', overflowWrap: 'anywhere' },
  label: { fontSize: '13px', color: MUTED },
  button: {
    margin: '24px 0 20px',
    padding: '12px 22px',
    fontSize: '16px',
    lineHeight: '20px',
    fontWeight: 600,
    color: '#ffffff',
    backgroundColor: SIGNAL,
    borderRadius: '10px',
  },
  plainLink: { ...small, fontSize: '13px' },
  link: { color: SIGNAL, wordBreak: 'break-all' },
  small,
  perforation: { margin: '20px 0 16px', border: 0, borderTop: `2px dashed ${HAIRLINE}` },
  footer: { ...small, margin: '16px 4px 0', fontSize: '13px' },
  footerLink: { color: MUTED },
} satisfies Record<string, CSSProperties | number>

export const DARK_STYLES = `@media (prefers-color-scheme: dark) {
  .paper { background-color: #0e1116 !important; }
  .surface { background-color: #171b22 !important; border-color: #2b313c !important; border-top-color: #f0501e !important; }
  .ink { color: #eceae3 !important; }
  .muted { color: #9aa1ac !important; }
  .signal { color: #ff6a3a !important; }
  .code { color: #ff6a3a !important; background-color: #2c1a14 !important; }
  .button { color: #1a0b05 !important; background-color: #ff6a3a !important; }
  .line { border-top-color: #2b313c !important; }
}`
